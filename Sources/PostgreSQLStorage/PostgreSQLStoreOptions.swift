package import Storage

/// What a store on a server is opened with.
package struct PostgreSQLStoreOptions: Sendable {
    /// The folder with this host's key files; made when the first of them is.
    package var keyFolder: String
    /// Where the key of the payloads comes from; asked when something is encrypted or decrypted for the first time.
    ///
    /// A file beside the store is one in ``keyFolder``.
    package var payloadKey: PayloadKeySource
    /// Told once, with its path, when a key file was made.
    package var payloadKeyMade: @Sendable (_ path: String) -> Void
    /// How long a call waits for others' locks.
    package var lockTimeout: Duration
    /// The most runs that one person's list is made from: the newest that have not expired.
    package var inboxRuns: Int
    /// The most connections at a time, besides one for each campaign that is held, and one to hear of runs.
    package var connections: Int
    /// For how long a process has its part in a run that it does not renew; by the server's clock.
    package var lease = Duration.seconds(15)
    /// How long the calls of a part in a run wait for a server that is away.
    package var patience = Duration.seconds(30)
    /// Told when the calls of a part in a run begin to wait for a server that is away, once each time; must return at once.
    ///
    /// It gets why, and for how long a call waits.
    package var serverAway: @Sendable (StoreError, _ patience: Duration) -> Void = { _, _ in }
    /// Told when a server that was away answers again, once each time; must return at once.
    package var serverBack: @Sendable () -> Void = {}
    /// Whether it may be one that is being filled from another store, and only to go on with that.
    package var isToBeFilled = false

    /// - Parameters:
    ///   - keyFolder: the folder with this host's key files.
    ///   - payloadKey: where the key of the payloads comes from.
    ///   - payloadKeyMade: told once, with its path, when a key file was made.
    ///   - lockTimeout: how long a call waits for others' locks.
    ///   - inboxRuns: the most runs that one person's list is made from.
    ///   - connections: the most connections at a time.
    package init(
        keyFolder: String, payloadKey: PayloadKeySource = .fileBesideStore,
        payloadKeyMade: @escaping @Sendable (_ path: String) -> Void = { _ in },
        lockTimeout: Duration = .seconds(5), inboxRuns: Int = 1_000, connections: Int = 4
    ) {
        self.keyFolder = keyFolder
        self.payloadKey = payloadKey
        self.payloadKeyMade = payloadKeyMade
        self.lockTimeout = lockTimeout
        self.inboxRuns = inboxRuns
        self.connections = connections
    }
}
