package import PostgreSQLClient
package import Storage

package struct PostgreSQLStoreOptions: Sendable {
    /// The folder of this host's key files, made with the first of them.
    package var keyFolder: String
    /// The source of the payload key, asked at its first use; a file is in ``keyFolder``.
    package var payloadKey: PayloadKeySource
    /// Called once, with its path, when a key file was made.
    package var payloadKeyMade: @Sendable (_ path: String) -> Void
    /// How long a call waits for others' locks.
    package var lockTimeout: Duration
    /// The most runs that a person's list is made from: the newest that have not expired.
    package var inboxRuns: Int
    /// The most connections, besides one for each locked campaign, and one to listen for runs.
    package var connections: Int
    /// How long a process keeps its part in a run without renewing it, by the server's clock.
    package var lease = Duration.seconds(15)
    /// How long the calls of a part in a run wait for a server that is away.
    package var patience = Duration.seconds(30)
    /// Called when such calls begin to wait for a server that is away, once each time; must return
    /// at once.
    package var serverAway: @Sendable (StoreError, _ patience: Duration) -> Void = { _, _ in }
    /// Called when such a server answers again, once each time; must return at once.
    package var serverBack: @Sendable () -> Void = {}
    /// How to connect, but for what is said here.
    package var pool = PostgreSQLPoolOptions()
    /// Opens a store that is being filled from another one, only to continue that.
    package var isToBeFilled = false

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
