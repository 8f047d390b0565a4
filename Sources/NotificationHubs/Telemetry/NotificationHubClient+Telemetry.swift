public import Foundation
import NIOHTTP1

extension NotificationHubClient {
    /// The maximum size of a message's details in bytes, enough for an escaped body and all counts.
    private static let detailsLimit = 1_048_576

    /// The maximum length of a URL in bytes.
    private static let addressLimit = 4_096

    /// Reads the details of a message; nil if the hub does not know the message, or does not know
    /// it yet (try again after ten seconds).
    ///
    /// Hubs below the Standard tier return 403.
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
        do throws(XMLReadingError) {
            return try NotificationDetails(element)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }

    /// Requests the URL of the storage container that contains the push services' feedback; the URL
    /// is a secret.
    ///
    /// This library never opens the URL. Hubs below the Standard tier return 403.
    public func feedbackContainerURL() async throws(HubError) -> URL {
        let call = HubCall(
            operation: "reading of the feedback container's address", method: .GET,
            path: ["feedbackcontainer"], accepts: 200...200, isRepeatable: true,
            bodyLimit: Self.addressLimit)
        let answer = try await answer(to: call)
        guard let text = String(validating: answer.body, as: UTF8.self),
            let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)),
            ["https", "http"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
        else { throw HubError(call, answer: answer, reason: "the response is not a URL") }
        return url
    }
}
