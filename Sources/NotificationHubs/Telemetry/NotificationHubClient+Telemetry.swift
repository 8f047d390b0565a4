public import Foundation
import NIOHTTP1

extension NotificationHubClient {
    /// The most bytes of a message's details: its body, escaped, and all counts.
    private static let detailsLimit = 1_048_576

    /// The most bytes of an address.
    private static let addressLimit = 4_096

    /// Reads what became of a message.
    ///
    /// ```swift
    /// if let id = receipt.messageID, let details = try await client.notificationDetails(id: id) {
    ///     print(details.state, details.count(of: "Success", on: .apple))
    /// }
    /// ```
    ///
    /// - Parameter id: the message id of its receipt.
    /// - Returns: nil when the hub does not know the message, or has not begun with it: ask again
    ///   in ten seconds.
    /// - Throws: ``HubError``. Hubs below the Standard tier answer 403.
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

    /// Asks where the push services' feedback about devices is kept.
    ///
    /// ```swift
    /// let container = try await client.feedbackContainerURL()
    /// ```
    ///
    /// The address is that of a storage container on some other server and holds a signature of its
    /// own, so it is a secret; this library never contacts it.
    ///
    /// - Returns: the container's address.
    /// - Throws: ``HubError``. Hubs below the Standard tier answer 403.
    public func feedbackContainerURL() async throws(HubError) -> URL {
        let call = HubCall(
            operation: "reading of the feedback container's address", method: .GET,
            path: ["feedbackcontainer"], accepts: 200...200, isRepeatable: true,
            bodyLimit: Self.addressLimit)
        let answer = try await answer(to: call)
        guard let text = String(validating: answer.body, as: UTF8.self),
            let url = URL(string: text.trimmingCharacters(in: .whitespacesAndNewlines)),
            ["https", "http"].contains(url.scheme?.lowercased()), url.host?.isEmpty == false
        else {
            throw HubError(call, answer: answer, reason: "the answer is no address")
        }
        return url
    }
}
