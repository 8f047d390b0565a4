package import CampaignCore
package import DeviceClient
package import Foundation

/// Fetches payloads as a user's device does, for somebody who looks at what the user was sent.
package struct PayloadReader: Sendable {
    package struct Failure: Error, Hashable {
        /// Whether the backend has no such payload for the user.
        package let isGone: Bool
        /// Why, as a sentence, and what to do; never contains a secret.
        package let explanation: String
    }

    /// In bytes; no campaign has a larger one.
    private static let longest = 4 << 20
    /// Less than the hub's inbox page waits.
    private static let timeout = Duration.seconds(15)

    private let backend: URL
    private let user: Username
    private let signIn: DeviceSignIn
    private let userAgent: String
    private let explain: @Sendable (any Error) -> String

    /// Connects nowhere yet; plain http is for a backend on this machine only, `explain` words
    /// general errors.
    package init(
        backend: URL, user: Username, signIn: DeviceSignIn, userAgent: String,
        explain: @escaping @Sendable (any Error) -> String
    ) throws {
        self.backend = backend
        self.user = user
        self.signIn = signIn
        self.userAgent = userAgent
        self.explain = explain
        // Reports a wrong address now, and not when somebody looks at a message.
        _ = try client(UnconnectedTransport())
    }

    package func fetch(_ id: String) async throws(Failure) -> DeviceClient.NotificationContent {
        guard let id = DeviceClient.NotificationID(id) else {
            throw Failure(
                isGone: false,
                explanation: "hubsend makes no such ids, so nothing was asked for.")
        }
        do {
            // A client for each, since fetches are rare and nothing should stay open.
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
        let place = "The backend \(backend.absoluteString)"
        let explanation =
            switch error as? BackendClientError {
            case .gone:
                "\(place) has no such payload for \(user): it is another user's, or it expired or was taken back."
            case .credentialRefused:
                """
                \(place) refuses what \(signIn.setting) holds for \(user). Set it to the right one, and start the \
                hub again.
                """
            case .unreachable:
                "\(place) cannot be reached. Start `hubsend serve`, and try again."
            default: explain(error)
            }
        return Failure(
            isGone: (error as? BackendClientError) == .gone, explanation: explanation)
    }
}

/// Carries nothing; only for checking an address.
private struct UnconnectedTransport: DeviceTransport {
    func send(_ request: DeviceRequest) async throws -> DeviceResponse {
        throw BackendClientError.unreachable
    }
}
