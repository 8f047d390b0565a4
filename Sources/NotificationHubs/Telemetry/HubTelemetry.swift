package import CampaignCore

/// Asks the hub of one client what became of messages (reference: section 5).
package struct HubTelemetry: MessageTelemetry {
    /// The most characters of what is kept of an answer.
    private static let longest = 200

    private let client: NotificationHubClient

    /// Asks a hub.
    ///
    /// - Parameter client: the client, with its policy for retries; its owner shuts it down.
    package init(client: NotificationHubClient) {
        self.client = client
    }

    package func fate(of message: String) async throws(HubInquiryFailure) -> MessageFate {
        do throws(HubError) {
            guard let details = try await client.notificationDetails(id: message) else {
                return .unknown
            }
            return details.fate(longest: Self.longest)
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw HubInquiryFailure(
                error,
                rights:
                    "A hub tells what became of a message only in the Standard tier, and to a rule that may send."
            )
        }
    }
}

extension NotificationDetails {
    /// What it says of the one person whom a push was for.
    fileprivate func fate(longest: Int) -> MessageFate {
        // What is sent to people's tags names them with `||` between them.
        if tags?.contains("||") == true { return .shared }
        switch state {
        case .completed, .abandoned, .noTargetFound, .canceled, .detailedStateAvailable: break
        default: return .unknown
        }
        var counts: [String: Int] = [:]
        for (name, count) in outcomeCounts.values.joined() where count > 0 {
            // A service may stand there under its old name too.
            counts[name] = max(counts[name, default: 0], count)
        }
        guard !counts.isEmpty else { return .ended(state.rawValue) }
        // What was delivered comes first.
        let words = counts.sorted { one, other in
            (one.key == "Success" ? 0 : 1, one.key) < (other.key == "Success" ? 0 : 1, other.key)
        }.map { name, count in count == 1 ? name : "\(name) \(count)" }
        return .ended(String(words.joined(separator: ", ").prefix(longest)))
    }
}
