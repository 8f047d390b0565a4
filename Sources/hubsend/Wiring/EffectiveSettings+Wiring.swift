import CampaignCore
import Delivery
import Files
import NotificationHubs
import Settings
import Storage
import Terminal

extension EffectiveSettings {
    /// Brings flags, environment and config together.
    ///
    /// - Parameters:
    ///   - options: the flags.
    ///   - campaigns: the campaign files that the command names, beside or above which a config may be.
    ///   - invocation: environment and current folder.
    /// - Returns: the settings.
    /// - Throws: `SettingFault`, `InputFileError` or `ConfigFaults`.
    static func load(
        _ options: GlobalOptions, campaigns: [String], invocation: Invocation = .current()
    ) throws -> EffectiveSettings {
        try load(options.flags, campaigns: campaigns, invocation: invocation)
    }

    /// The rehearsal that flags ask for.
    ///
    /// - Parameters:
    ///   - people: whom they name.
    ///   - model: whose values they ask for.
    /// - Returns: nil when they name nobody.
    func rehearsal(to people: [Username], as model: Username?) -> Rehearsal? {
        people.isEmpty ? nil : Rehearsal(people: people, testers: testers, model: model)
    }

    /// Refuses to send where it is not sure which store remembers who was sent what.
    ///
    /// - Parameter connection: where pushes would go.
    /// - Throws: as `requireStorePlace(forHubAt:isLoopback:)`.
    func requireStorePlace(for connection: HubConnection) throws {
        try requireStorePlace(
            forHubAt: connection.connectionString.endpoint.host, isLoopback: connection.isLoopback)
    }

    /// How to open the store for work with payloads.
    ///
    /// On a terminal it is told when a key file is made, once for a store; from cron it is not, since all went well.
    ///
    /// - Parameter bar: the progress bar to take away before it is told; nil: there is none.
    /// - Returns: the options.
    /// - Throws: ``CommandEnd`` when the payload key cannot be read, or has the wrong form.
    func storeOptions(clearing bar: ProgressBar? = nil) async throws -> StoreOptions {
        var options = StoreOptions()
        if invocation.isErrorTerminal {
            options.payloadKeyMade = { path in
                bar?.clear()
                Console.complain("hubsend: warning: \(Self.keyFileSentence(path))")
            }
        }
        guard let secret = payloadKeySecret else { return options }
        guard let key = PayloadKey(try await secret.text()) else {
            throw CommandEnd(
                .configuration,
                """
                What \(secret.setting) gives is no payload key: it takes 32 bytes in base64 or hexadecimal, such as \
                `openssl rand -base64 32` prints.
                """)
        }
        options.payloadKey = .given(key)
        return options
    }

    /// Opens the store for writing; makes it where there is none.
    ///
    /// It may have to wait for another process that opens it, for as long as that takes.
    ///
    /// - Parameter options: as ``storeOptions(clearing:)`` has them.
    /// - Returns: the store.
    /// - Throws: `StoreError`; `CancellationError` as soon as the task is cancelled.
    func openStore(_ options: StoreOptions) async throws -> SQLiteStore {
        try await BlockingWork.runUnlessCancelled { [store] in
            try SQLiteStore.open(at: store, options: options)
        }
    }

    /// Where the environment says that the payload key is; nil: in the file beside the store.
    var payloadKeySecret: Secret? { Secret.inEnvironment(Secret.payloadKey, of: invocation) }

    /// What it means that the key lies beside the store.
    static func keyFileSentence(_ path: String) -> String {
        """
        secure and personal payloads are encrypted with the key in \(path). Whoever gets at it and the store can read \
        them, and without it they are lost. To keep it elsewhere, move it and name its place in \
        \(Secret.payloadKey)_FILE.
        """
    }
}
