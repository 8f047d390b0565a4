package import CampaignCore
package import Delivery
package import Logging
import NotificationHubs
package import Settings
package import Storage
package import Terminal

extension EffectiveSettings {
    /// The rehearsal that flags ask for.
    ///
    /// - Parameters:
    ///   - people: the people whom the flags name.
    ///   - model: the person whose values the flags ask for.
    /// - Returns: nil when the flags name nobody.
    package func rehearsal(to people: [Username], as model: Username?) -> Rehearsal? {
        people.isEmpty ? nil : Rehearsal(people: people, testers: testers, model: model)
    }

    /// Refuses to send when it is not certain which store remembers who was sent what.
    ///
    /// - Parameter connection: where pushes would go.
    /// - Throws: as `requireStorePlace(forHubAt:isLoopback:)`.
    func requireStorePlace(for connection: HubConnection) throws {
        try requireStorePlace(
            forHubAt: connection.connectionString.endpoint.host, isLoopback: connection.isLoopback)
    }

    /// How to open the store for work with payloads.
    ///
    /// When a key file is made, a person at a terminal is told so, once for a store. From cron nothing is said, since all went well.
    ///
    /// - Parameters:
    ///   - kinds: those of the campaigns that are sent; nothing is said for alerts, since nobody fetches what is stored of them.
    ///   - bar: the progress bar to take away before anything is said; nil: no bar is shown.
    ///   - logger: is told when work on runs waits for the store; nil: nobody is told.
    /// - Returns: the options.
    /// - Throws: `SettingFault` when the payload key cannot be read, ``OperationFault`` when it has the wrong form.
    package func storeOptions(
        for kinds: [CampaignKind] = [.secure], clearing bar: ProgressBar? = nil,
        logger: Logger? = nil
    ) async throws -> StoreOptions {
        var options = StoreOptions()
        if let logger { options.tellOfOutages(to: logger, bar) }
        if invocation.isErrorTerminal, kinds.contains(where: \.isSilent) {
            options.payloadKeyMade = { path in
                bar?.clear()
                Console.complain("hubsend: warning: \(Self.keyFileSentence(path))")
            }
        }
        guard let secret = payloadKeySecret else { return options }
        guard let keys = PayloadKey.all(in: try await secret.text()) else {
            throw OperationFault.unusablePayloadKey(setting: secret.setting)
        }
        options.payloadKey = .given(keys[0], earlier: Array(keys.dropFirst()))
        return options
    }

    /// How to open the store for work that only looks at it, such as a preview, which has to know who was forgotten.
    ///
    /// On a server, people who were forgotten are recognised by the key of the payloads. No command is run to get that key.
    ///
    /// - Returns: the options.
    /// - Throws: as ``storeOptions(for:clearing:logger:)``.
    func lookingOptions() async throws -> StoreOptions {
        guard store.file == nil else { return StoreOptions() }
        if case .command? = payloadKeySecret { return StoreOptions() }
        return try await storeOptions()
    }

    /// Where the environment says that the payload key is; nil: in the file beside the store.
    package var payloadKeySecret: Secret? {
        Secret.inEnvironment(Secret.payloadKey, of: invocation)
    }

    /// What it means that the key lies beside the store.
    package static func keyFileSentence(_ path: String) -> String {
        """
        secure and personal payloads are encrypted with the key in \(path). Whoever gets at it and the store can read \
        them, and without it they are lost. To keep it elsewhere, move it and name its place in \
        \(Secret.payloadKey)_FILE.
        """
    }
}

extension StoreOptions {
    /// Has people told when work on runs waits for a store that is away, and when the store answers again.
    ///
    /// - Parameters:
    ///   - logger: logs it.
    ///   - bar: shows it meanwhile; nil: no bar is shown.
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
