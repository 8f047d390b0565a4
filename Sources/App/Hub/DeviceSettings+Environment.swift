import CampaignCore
import DeviceClient
import DeviceSimulation
import Foundation
import LocalHub
import NIOSSL
import NotificationHubs

extension DeviceSettings {
    /// Uses the backend that an option or the environment names, otherwise the one on this machine.
    init(
        user: Username, platform: DevicePlatform, backend: String?, _ invocation: Invocation
    ) async throws {
        let address = backend ?? invocation["HUBSEND_BACKEND"] ?? "http://127.0.0.1:8080"
        guard let url = URL(string: address) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        self.init(
            user: user, platform: platform, backend: url,
            signIn: try await DeviceSignIn(of: user, invocation))
    }
}

extension DeviceSignIn {
    private static let password = "HUBSEND_DEVICE_PASSWORD"
    private static let token = "HUBSEND_DEVICE_TOKEN"

    init(of user: Username, _ invocation: Invocation) async throws {
        let password = Secret.inEnvironment(Self.password, of: invocation)
        let token = Secret.inEnvironment(Self.token, of: invocation)
        if let password, let token {
            throw Refused(
                "\(password.setting) and \(token.setting) are both set. A device signs in with only one of them; unset the other."
            )
        }
        guard let named = password ?? token else {
            throw Refused(
                """
                There is no password or token for \(user). Set \(Self.password) or \(Self.token), \
                or either name with the suffix _FILE or _COMMAND.
                """)
        }
        // A command is run once, but a file is read for each request, so that a renewed token is
        // used.
        let text = try await named.text()
        let secret: Secret =
            if case .command(_, let from) = named { .value(text, from: from) } else { named }
        let isToken = token != nil
        self.init(isToken: isToken, setting: secret.setting) {
            guard let text = try secret.textWithoutCommands() else { return nil }
            return isToken ? .token(text) : .password(user: user.text, password: text)
        }
    }
}

extension DeviceEvents {
    /// Finds the hub's address, and asks the hub for its name if it is not set.
    init(of user: Username, at hub: HubChoice) async throws {
        guard case .remote(let secret, let name, let route) = hub else {
            throw Refused(
                """
                The config's hub (`hub.local`) exists only inside `hubsend run`, so a device cannot receive pushes \
                from it. Start `hubsend hub`, and set \(Secret.connectionString) to the value that it prints.
                """)
        }
        let connection = try await HubChoice.connection(
            secret, name: name, by: route)
        let endpoint = connection.connectionString.endpoint
        guard connection.isLoopback else {
            throw Refused(
                """
                The hub \(endpoint.host) in \(secret.setting) is not a local hub, so a simulated \
                device cannot receive pushes from it. Start `hubsend hub`, and set \
                \(Secret.connectionString) to the value that it prints.
                """)
        }
        self.init(
            of: user, on: connection.name.rawValue, at: "\(endpoint)",
            tls: try TLSConfiguration.hub(trusting: connection.trustRoots))
    }
}

extension PayloadBackend {
    /// Creates the backend that the inbox page fetches payloads from, as a user's device does; does
    /// not connect yet.
    init(
        at address: String, of user: Username, _ invocation: Invocation
    ) async throws {
        guard let url = URL(string: address) else {
            throw BackendClientError.unusableOrigin(.incomplete)
        }
        let reader = try PayloadReader(
            backend: url, user: user, signIn: try await DeviceSignIn(of: user, invocation),
            userAgent: Hubsend.userAgent, explain: { Refused(for: $0).sentence })
        self.init(address: url.absoluteString, user: user.text) { id throws(Failure) in
            do throws(PayloadReader.Failure) {
                let content = try await reader.fetch(id)
                return Payload(mediaType: content.mediaType, content: Array(content.data))
            } catch {
                throw Failure(isGone: error.isGone, explanation: error.explanation)
            }
        }
    }
}
