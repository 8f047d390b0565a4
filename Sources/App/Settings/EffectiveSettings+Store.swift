import CampaignCore
import Delivery
import Logging
import NotificationHubs
import Storage

extension EffectiveSettings {
    /// Refuses to send while it is uncertain which store remembers who was sent what.
    func requireStorePlace(for connection: HubConnection) throws {
        try requireStorePlace(
            forHubAt: connection.connectionString.endpoint.host, isLoopback: connection.isLoopback)
    }

    /// How to open the store for work with payloads.
    ///
    /// A person at a terminal is told, once per store, when a key file is made; cron is not, nor
    /// are people with alerts only, which nobody fetches. `bar` is cleared before.
    func storeOptions(
        for kinds: [CampaignKind] = [.secure], clearing bar: ProgressBar? = nil,
        logger: Logger? = nil
    ) async throws -> StoreOptions {
        var options = StoreOptions()
        options.isNamed = isStoreNamed
        if let logger { options.tellOfOutages(to: logger, bar) }
        if invocation.isErrorTerminal, kinds.contains(where: \.isSilent) {
            options.payloadKeyMade = { path in
                bar?.clear()
                Console.complain("hubsend: warning: \(Self.keyFileSentence(path))")
            }
        }
        guard let secret = payloadKeySecret else { return options }
        guard let keys = PayloadKey.all(in: try await secret.text()) else {
            throw Refused(
                """
                What \(secret.setting) gives is no payload key: it takes 32 bytes in base64 or hexadecimal, such as \
                `openssl rand -base64 32` prints; or several, with spaces or line ends between them, while keys are exchanged.
                """)
        }
        options.payloadKey = .given(keys[0], earlier: Array(keys.dropFirst()))
        return options
    }

    /// How to open the store for work that only reads, such as a preview.
    ///
    /// On a server, the payload key recognises forgotten people. No command is run to get that key.
    func lookingOptions() async throws -> StoreOptions {
        guard store.file == nil else { return StoreOptions() }
        if case .command? = payloadKeySecret { return StoreOptions() }
        return try await storeOptions()
    }

    /// Where the environment says the payload key is; nil: in the file next to the store.
    var payloadKeySecret: Secret? { Secret.inEnvironment(Secret.payloadKey, of: invocation) }

    /// Says what follows from a key that lies next to the store.
    static func keyFileSentence(_ path: String) -> String {
        """
        secure and personal payloads are encrypted with the key in \(path). Whoever gets at it and the store can read \
        them, and without it they are lost. To keep it elsewhere, move it and name its place in \
        \(Secret.payloadKey)_FILE.
        """
    }
}

extension StoreOptions {
    /// Reports when runs wait for an unreachable store, and when it answers again.
    mutating func tellOfOutages(to logger: Logger, _ bar: ProgressBar? = nil) {
        storeAway = { fault, patience in
            bar?.clear()
            logger.warning(
                "The store does not answer; work on runs waits for it, and goes on when it does",
                metadata: [
                    "reason": "\(fault)", "patience": "\(patience.components.seconds) s",
                ])
            bar?.update(isStoreAway: true)
        }
        storeBack = {
            bar?.clear()
            logger.warning("The store answers again; work on runs goes on")
            bar?.update(isStoreAway: false)
        }
    }
}
