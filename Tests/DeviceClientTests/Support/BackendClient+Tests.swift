import DeviceClient
import DeviceURLSession
import Foundation

extension BackendClient {
    /// Keeps everything in memory.
    static func forTests(
        _ origin: String, registration: any RegistrationIDStore = InMemoryRegistrationIDStore(),
        shown: any ShownNotificationStore = InMemoryShownNotificationStore(),
        settings: BackendClientSettings = .patient,
        transport: any DeviceTransport = URLSessionTransport(),
        credential: @escaping CredentialSource = { .password(user: "alice", password: "open") }
    ) throws -> BackendClient {
        guard let url = URL(string: origin) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        return try BackendClient(
            origin: url, registration: registration, shown: shown, settings: settings,
            transport: transport, credential: credential)
    }
}

extension BackendClientSettings {
    /// Settings with timeouts long enough for a busy machine.
    static var patient: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(120)
        settings.handlingTimeout = .seconds(120)
        return settings
    }
}

extension NotificationID {
    static let sample = NotificationID(checked: "abcdefghijklmnopqrstuvwxyz")
    static let other = NotificationID(checked: "234567abcdefghijklmnopqrst")
    static let third = NotificationID(checked: "zzzzzzzzzzzzzzzzzzzzzzzzzz")

    private init(checked text: String) {
        guard let id = NotificationID(text) else { preconditionFailure("\(text) is no id") }
        self = id
    }
}
