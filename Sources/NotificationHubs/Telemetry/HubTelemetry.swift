package import CampaignCore

/// Requests the outcomes of messages from a client's hub; the owner of the client shuts it down.
package struct HubTelemetry: MessageTelemetry {
    /// The maximum length of an id in characters.
    private static let longest = 200

    private let client: NotificationHubClient

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
                    "A hub reports outcomes only in the Standard tier, and only to a rule with the right to send."
            )
        }
    }
}

extension NotificationDetails {
    /// The outcome of a push to one person.
    fileprivate func fate(longest: Int) -> MessageFate {
        // If `||` joins the tags, the push was sent to several people, and the outcomes are for all
        // of them.
        if tags?.contains("||") == true { return .shared }
        switch state {
        case .completed, .abandoned, .noTargetFound, .canceled, .detailedStateAvailable: break
        default: return .unknown
        }
        var counts: [String: Int] = [:]
        for (name, count) in outcomeCounts.values.joined() where count > 0 {
            // A push service may also be listed under a former name.
            counts[name] = max(counts[name, default: 0], count)
        }
        guard !counts.isEmpty else { return .ended(state.rawValue) }
        // Successes are listed first.
        let words = counts.sorted { one, other in
            (one.key == "Success" ? 0 : 1, one.key) < (other.key == "Success" ? 0 : 1, other.key)
        }.map { name, count in count == 1 ? name : "\(name) \(count)" }
        return .ended(String(words.joined(separator: ", ").prefix(longest)))
    }
}
