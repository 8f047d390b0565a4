public import Foundation
import NIOHTTP1

extension NotificationHubClient {
    /// The most bytes of a message's details: its escaped body, and all counts.
    private static let detailsLimit = 1_048_576

    /// In bytes.
    private static let addressLimit = 4_096

    /// Reads what became of a message; nil when the hub has not begun with it (ask again in ten
    /// seconds) or does not know it.
    ///
    /// Hubs below the Standard tier answer 403.
    public func notificationDetails(
        id: String
    ) async throws(HubError) -> NotificationDetails? {
        let call = HubCall(
            operation: "reading of a message's details", method: .GET, path: ["messages", id],
            accepts: 200...200, isRepeatable: true, bodyLimit: Self.detailsLimit)
        let answer: HubAnswer
        do {
            answer = try await self.answer(to: call)
        } catch  where error.isNotFound {
            return nil
        }
        let element = try HubElement(answer, of: call)
        do throws(XMLFault) {
            return try NotificationDetails(element)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }

    /// Asks where the push services' feedback is kept: a storage container, whose address is a
    /// secret.
    ///
    /// This library never contacts it. Hubs below the Standard tier answer 403.
    public func feedbackContainerURL() async throws(HubError) -> URL {
        let call = HubCall(
            operation: "reading of the feedback container's address", method: .GET,
            path: ["feedbackcontainer"], accepts: 200...200, isRepeatable: true,
            bodyLimit: Self.addressLimit)
        let answer = try await answer(to: call)
        guard let text = String(validating: answer.body, as: UTF8.self),
            let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)),
            ["https", "http"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
        else { throw HubError(call, answer: answer, reason: "the answer is not a URL") }
        return url
    }
}
