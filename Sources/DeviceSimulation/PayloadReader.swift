package import CampaignCore
package import DeviceClient
package import Foundation

/// Fetches payloads as a user's device does, to show what was sent to the user.
package struct PayloadReader: Sendable {
    package struct Failure: Error, Hashable {
        /// Whether the backend has no such payload for the user.
        package let isGone: Bool
        /// The reason and what to do, in full sentences without secrets.
        package let explanation: String
    }

    /// The maximum size of a payload in bytes; no campaign has a larger payload.
    private static let longest = 4 << 20
    /// The timeout, which is shorter than that of the hub's inbox page.
    private static let timeout = Duration.seconds(15)

    private let backend: URL
    private let user: Username
    private let signIn: DeviceSignIn
    private let userAgent: String
    private let explain: @Sendable (any Error) -> String

    /// Creates a reader without connecting yet; plain HTTP is allowed only for a backend on this
    /// machine.
    ///
    /// `explain` describes other errors.
    package init(
        backend: URL, user: Username, signIn: DeviceSignIn, userAgent: String,
        explain: @escaping @Sendable (any Error) -> String
    ) throws {
        self.backend = backend
        self.user = user
        self.signIn = signIn
        self.userAgent = userAgent
        self.explain = explain
        // This reports an invalid address now, instead of when a message is opened.
        _ = try client(UnconnectedTransport())
    }

    package func fetch(_ id: String) async throws(Failure) -> DeviceClient.NotificationContent {
        guard let id = DeviceClient.NotificationID(id) else {
            throw Failure(
                isGone: false,
                explanation: "This is not a hubsend id, so nothing was fetched.")
        }
        do {
            // Each fetch has its own client, because fetches are rare and no connection should stay
            // open.
            return try await HTTPClientTransport.withClient { client in
                try await self.client(HTTPClientTransport(client: client, userAgent: userAgent))
                    .fetch(id)
            }
        } catch {
            throw failure(error)
        }
    }

    private func client(_ transport: any DeviceTransport) throws -> BackendClient {
        var settings = BackendClientSettings()
        settings.longestAnswer = Self.longest
        settings.timeout = Self.timeout
        return try BackendClient(
            origin: backend, registration: InMemoryRegistrationIDStore(),
            shown: InMemoryShownNotificationStore(), settings: settings, transport: transport,
            credential: signIn.current)
    }

    private func failure(_ error: any Error) -> Failure {
        let subject = "The backend \(backend.absoluteString)"
        let explanation =
            switch error as? BackendClientError {
            case .gone:
                "\(subject) has no such payload for \(user): it belongs to another user, has "
                    + "expired or was revoked."
            case .credentialRefused:
                """
                \(subject) refuses the credential in \(signIn.setting) for \(user). Correct it, and restart the hub.
                """
            case .unreachable:
                "\(subject) cannot be reached. Start `hubsend serve`, and try again."
            default: explain(error)
            }
        return Failure(
            isGone: (error as? BackendClientError) == .gone, explanation: explanation)
    }
}

/// A transport that sends nothing and is used only to validate an address.
private struct UnconnectedTransport: DeviceTransport {
    func send(_ request: DeviceRequest) async throws -> DeviceResponse {
        throw BackendClientError.unreachable
    }
}
