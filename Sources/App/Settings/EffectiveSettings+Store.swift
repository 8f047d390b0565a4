import CampaignCore
import Delivery
import Logging
import NotificationHubs
import Storage

extension EffectiveSettings {
    /// Refuses to send if it is uncertain which store records who was sent what.
    func requireStorePath(for connection: HubConnection) throws {
        try requireStorePath(
            forHubAt: connection.connectionString.endpoint.host, isLoopback: connection.isLoopback)
    }

    /// The options for opening the store to work with payloads.
    ///
    /// When a key file is created, one warning is printed on a terminal, unless all campaigns are
    /// alerts, which have no encrypted payload. The warning clears `bar`.
    func storeOptions(
        for kinds: [CampaignKind] = [.secure], clearing bar: ProgressBar? = nil,
        logger: Logger? = nil
    ) async throws -> StoreOptions {
        var options = StoreOptions()
        options.isNamed = isStoreNamed
        if let logger { options.logOutages(to: logger, bar) }
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
                \(secret.setting) does not contain a payload key. A key is 32 bytes in base64 or \
                hexadecimal, as `openssl rand -base64 32` prints. During key rotation, give \
                several keys, separated by spaces or line breaks.
                """)
        }
        options.payloadKey = .given(keys[0], earlier: Array(keys.dropFirst()))
        return options
    }

    /// The options for opening the store only to read it, as for a preview.
    ///
    /// In a store on a server, forgotten people are recognised with the payload key. The preview
    /// does not run a command to get that key.
    func readingOptions() async throws -> StoreOptions {
        guard store.file == nil else { return StoreOptions() }
        if case .command? = payloadKeySecret { return StoreOptions() }
        return try await storeOptions()
    }

    /// The payload key's place according to the environment; nil for the file next to the store.
    var payloadKeySecret: Secret? { Secret.inEnvironment(Secret.payloadKey, of: invocation) }

    /// Explains the consequences of a key next to the store.
    static func keyFileSentence(_ path: String) -> String {
        """
        secure and personal payloads are encrypted with the key in \(path). Anyone with this key and the store can read \
        them; if you lose the key, they cannot be recovered. To keep it elsewhere, move the file and set \
        \(Secret.payloadKey)_FILE to its path.
        """
    }
}

extension StoreOptions {
    /// Logs when the store stops answering, and when it answers again.
    mutating func logOutages(to logger: Logger, _ bar: ProgressBar? = nil) {
        storeAway = { problem, patience in
            bar?.clear()
            logger.warning(
                "The store is not answering; runs wait for it and continue when it does",
                metadata: [
                    "reason": "\(problem)", "patience": "\(patience.components.seconds) s",
                ])
            bar?.update(isStoreAway: true)
        }
        storeBack = {
            bar?.clear()
            logger.warning("The store is answering again; runs continue")
            bar?.update(isStoreAway: false)
        }
    }
}
