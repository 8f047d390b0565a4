import DeviceClient

struct SimulatedDevice: Sendable {
    /// The number of the device, from 1.
    let number: Int
    let platform: DevicePlatform
    let handle: String
    let tags: [String]
    let client: BackendClient
    private let kept: InMemoryRegistrationIDStore

    /// Whether the device opens toasts immediately, so that the app fetches their payloads; on
    /// Windows, nothing can replace a toast.
    var opensToasts: Bool { platform == .wns }

    /// Creates a device that stores its state in memory.
    init(
        number: Int, _ settings: DeviceSettings, handle: String, transport: any DeviceTransport
    ) throws(BackendClientError) {
        self.number = number
        self.handle = handle
        platform = settings.platform
        tags = settings.tags
        kept = InMemoryRegistrationIDStore()
        client = try BackendClient(
            origin: settings.backend, registration: kept,
            shown: InMemoryShownNotificationStore(), settings: settings.client,
            transport: transport, credential: settings.signIn.current)
    }

    func register() async throws(BackendClientError) -> String {
        try await client.register(platform: platform, handle: handle, tags: tags)
        guard let id = await kept.registrationID() else { throw .answerUnreadable }
        return id
    }
}
