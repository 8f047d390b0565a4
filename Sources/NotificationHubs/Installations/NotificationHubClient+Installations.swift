import Foundation
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Writes an installation: creates it, or replaces the one of its id.
    ///
    /// ```swift
    /// try await client.put(Installation(id: deviceID, channel: .fcmV1(registrationID: token)))
    /// ```
    ///
    /// - Parameter installation: the installation.
    /// - Throws: ``RegistrationError`` or ``HubError``.
    public func put(_ installation: Installation) async throws {
        var call = HubCall(
            operation: "writing of an installation", method: .PUT,
            path: ["installations", installation.id], accepts: 200...204, isRepeatable: true)
        call.headers = [(name: "Content-Type", value: "application/json")]
        call.body = ByteBuffer(bytes: try CompactJSON.encode(InstallationDocument(installation)))
        _ = try await answer(to: call)
    }

    /// Reads an installation.
    ///
    /// ```swift
    /// let installation = try await client.installation(id: deviceID)
    /// ```
    ///
    /// - Parameter id: its id.
    /// - Returns: the installation; nil when there is none of that id.
    /// - Throws: ``RegistrationError`` or ``HubError``.
    public func installation(id: String) async throws -> Installation? {
        guard RegistrationRules.isID(id) else { throw RegistrationError.invalidID }
        let call = HubCall(
            operation: "reading of an installation", method: .GET, path: ["installations", id],
            accepts: 200...200, isRepeatable: true, bodyLimit: 256 * 1_024)
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await self.answer(to: call)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
        do {
            // Recorded: the header says XML, the body is JSON.
            return try JSONDecoder().decode(InstallationDocument.self, from: Data(answer.body))
                .installation
        } catch {
            throw HubError(call, answer: answer, reason: "the answer is no installation")
        }
    }

    /// Changes parts of an installation, all of them or none.
    ///
    /// ```swift
    /// try await client.patch(installation: deviceID, [.addTag("sport"), .setUserID(nil)])
    /// ```
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - changes: the changes, in order.
    /// - Throws: ``RegistrationError``, or ``HubError`` with status 404 when there is none of that id.
    public func patch(installation id: String, _ changes: [InstallationPatch]) async throws {
        guard RegistrationRules.isID(id) else { throw RegistrationError.invalidID }
        var call = HubCall(
            operation: "change of an installation", method: .PATCH, path: ["installations", id],
            accepts: 200...204, isRepeatable: true)
        call.headers = [(name: "Content-Type", value: "application/json-patch+json")]
        call.body = ByteBuffer(string: InstallationPatch.json(changes))
        _ = try await answer(to: call)
    }

    /// Deletes an installation, which need not be there.
    ///
    /// ```swift
    /// try await client.deleteInstallation(id: deviceID)
    /// ```
    ///
    /// - Parameter id: its id.
    /// - Throws: ``RegistrationError`` or ``HubError``.
    public func deleteInstallation(id: String) async throws {
        guard RegistrationRules.isID(id) else { throw RegistrationError.invalidID }
        _ = try await answer(
            to: HubCall(
                operation: "deletion of an installation", method: .DELETE,
                path: ["installations", id], accepts: 200...204, isRepeatable: true))
    }
}
