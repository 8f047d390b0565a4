import DeviceClient
import DeviceURLSession
import Foundation

extension BackendClient {
    /// A client that keeps everything in memory.
    static func forTests(
        _ origin: String, registration: any RegistrationIDStore = InMemoryRegistrationIDStore(),
        shown: any ShownNotificationStore = InMemoryShownNotificationStore(),
        settings: BackendClientSettings = BackendClientSettings(),
        credential: @escaping CredentialSource = { .password(user: "alice", password: "open") }
    ) throws -> BackendClient {
        guard let url = URL(string: origin) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        return try BackendClient(
            origin: url, registration: registration, shown: shown, settings: settings,
            transport: URLSessionTransport(), credential: credential)
    }
}

extension NotificationID {
    /// An id that is one.
    static let sample = NotificationID(checked: "abcdefghijklmnopqrstuvwxyz")
    static let other = NotificationID(checked: "234567abcdefghijklmnopqrst")
    static let third = NotificationID(checked: "zzzzzzzzzzzzzzzzzzzzzzzzzz")

    private init(checked text: String) {
        guard let id = NotificationID(text) else { preconditionFailure("\(text) is no id") }
        self = id
    }
}
