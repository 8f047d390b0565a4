// example
import DeviceClient
import DeviceURLSession
import Foundation

/// Registers this device and returns the text of a push.
func text(
    of push: Data, backend: URL, token: String, handle: String, folder: URL
) async throws -> String? {
    let client = try BackendClient(
        origin: backend,
        registration: FileRegistrationIDStore(file: folder.appending(path: "registration")),
        shown: FileShownNotificationStore(file: folder.appending(path: "shown")),
        transport: URLSessionTransport(),
        credential: { .token(token) })
    try await client.register(platform: .fcm, handle: handle, tags: ["news"])
    switch try await client.handle(DevicePush(body: push, platform: .fcm)) {
    case .secure(_, let text, _), .generic(_, let text), .alert(let text, _): return text
    case .rich(let rich): return rich.message
    case .nothing: return nil
    }
}
// end
