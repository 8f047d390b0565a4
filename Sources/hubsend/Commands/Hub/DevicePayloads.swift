import AsyncHTTPClient
import CampaignCore
import DeviceClient
import DeviceSimulation
import Foundation
import LocalHub
import Settings

/// Fetches for the hub's inbox page what an app would fetch, as one user's device does.
struct DevicePayloads: Sendable {
    /// The most bytes of a payload; no campaign has a larger one.
    private static let longest = 4 << 20
    /// How long a fetch may take, less than the page waits.
    private static let timeout = Duration.seconds(15)

    private let backend: URL
    private let user: Username
    private let signIn: DeviceSignIn

    /// Signs in as a user; connects nowhere yet.
    ///
    /// - Parameters:
    ///   - address: the backend's address; plain http only on this machine.
    ///   - user: the user.
    ///   - invocation: where the password or token is found.
    /// - Throws: ``CommandEnd`` when there is no password, `BackendClientError` when the address cannot be a backend's.
    init(address: String, user: Username, _ invocation: Invocation) async throws {
        guard let url = URL(string: address) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        backend = url
        self.user = user
        signIn = try await DeviceSignIn(of: user, invocation)
        // Says what is wrong with the address now, and not when somebody looks at a message.
        _ = try client(UnconnectedTransport())
    }

    /// What the hub asks.
    var source: PayloadBackend {
        PayloadBackend(address: backend.absoluteString, user: user.text) {
            id throws(PayloadBackend.Failure) in
            do {
                return try await fetch(id)
            } catch {
                throw failure(error)
            }
        }
    }

    private func fetch(_ id: String) async throws -> PayloadBackend.Payload {
        guard let id = DeviceClient.NotificationID(id) else {
            throw BackendClientError.unaddressable
        }
        // A client for each: it is asked for by hand, and nothing stays open.
        return try await HTTPClientTransport.withClient { client in
            let content = try await self.client(
                HTTPClientTransport(client: client, userAgent: Hubsend.userAgent)
            ).fetch(id)
            return PayloadBackend.Payload(
                mediaType: content.mediaType, content: Array(content.data))
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

    private func failure(_ error: any Error) -> PayloadBackend.Failure {
        let place = "The backend \(backend.absoluteString)"
        switch error as? BackendClientError {
        case .gone:
            return PayloadBackend.Failure(
                isGone: true,
                explanation:
                    "\(place) has no such payload for \(user): it is another user's, or it expired "
                    + "or was taken back.")
        case .unaddressable:
            return PayloadBackend.Failure(
                explanation: "hubsend makes no such ids, so nothing was asked for.")
        case .credentialRefused:
            return PayloadBackend.Failure(
                explanation:
                    "\(place) refuses what \(signIn.setting) holds for \(user). Set it "
                    + "to the right one, and start the hub again.")
        case .unreachable:
            return PayloadBackend.Failure(
                explanation: "\(place) cannot be reached. Start `hubsend serve`, and try again.")
        default:
            return PayloadBackend.Failure(
                explanation: FailureTranslation.end(for: error).message)
        }
    }
}

/// What carries nothing, for a look at an address.
private struct UnconnectedTransport: DeviceTransport {
    func send(_ request: DeviceRequest) async throws -> DeviceResponse {
        throw BackendClientError.unreachable
    }
}
