import Foundation
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Creates an installation, or replaces the installation with the same id.
    public func put(_ installation: Installation) async throws(HubError) {
        var call = HubCall(
            operation: "writing of an installation", method: .PUT,
            path: ["installations", installation.id], accepts: 200...204, isRepeatable: true)
        call.headers = [(name: "Content-Type", value: "application/json")]
        call.body = ByteBuffer(bytes: try Self.json(of: installation, for: call))
        _ = try await answer(to: call)
    }

    /// Reads an installation; nil if it does not exist.
    public func installation(id: String) async throws(HubError) -> Installation? {
        let call = HubCall(
            operation: "reading of an installation", method: .GET, path: ["installations", id],
            accepts: 200...200, isRepeatable: true, bodyLimit: 256 * 1_024)
        try call.checkID(id)
        let answer: HubAnswer
        do throws(HubError) {
            answer = try await self.answer(to: call)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
        do {
            // In recordings of the service, the header says XML, but the body is JSON.
            return try JSONDecoder().decode(InstallationDocument.self, from: Data(answer.body))
                .installation
        } catch {
            throw HubError(call, answer: answer, reason: "the response is not an installation")
        }
    }

    /// Applies all changes to an installation, or none if one fails; fails with status 404 if the
    /// installation does not exist.
    public func patch(
        installation id: String, _ changes: [InstallationPatch]
    ) async throws(HubError) {
        var call = HubCall(
            operation: "change of an installation", method: .PATCH, path: ["installations", id],
            accepts: 200...204, isRepeatable: true)
        try call.checkID(id)
        call.headers = [(name: "Content-Type", value: "application/json-patch+json")]
        call.body = ByteBuffer(string: InstallationPatch.json(changes))
        _ = try await answer(to: call)
    }

    /// Deletes an installation; it is not an error if the installation does not exist.
    public func deleteInstallation(id: String) async throws(HubError) {
        let call = HubCall(
            operation: "deletion of an installation", method: .DELETE,
            path: ["installations", id], accepts: 200...204, isRepeatable: true)
        try call.checkID(id)
        _ = try await answer(to: call)
    }

    private static func json(
        of installation: Installation, for call: HubCall
    ) throws(HubError) -> Data {
        let document: InstallationDocument
        do throws(RegistrationError) {
            document = try InstallationDocument(installation)
        } catch {
            throw HubError(notBegun: call.operation, .invalidRegistration(error))
        }
        do throws(NotificationError) {
            return try CompactJSON.encode(document)
        } catch {
            throw HubError(notBegun: call.operation, .invalidRegistration(.notJSON))
        }
    }
}
