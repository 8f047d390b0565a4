import Glibc

package struct StoreOptions: Sendable {
    /// How long a call waits for another process's transaction.
    package var busyTimeout: Duration
    /// The most pages of 4 KiB in the file; nil: SQLite's own limit.
    package var maximumPages: Int?
    /// The most runs in a person's inbox: the newest that have not expired.
    package var inboxRuns: Int
    package var owner: UInt32
    /// Whether a flag or variable names the store, so root may make it in another user's folder.
    package var isNamed = false
    /// The source of the payload key, asked at its first use.
    package var payloadKey: PayloadKeySource
    /// Called once, with its path, after a key file was created.
    package var payloadKeyMade: @Sendable (_ path: String) -> Void
    /// Called when work on a run begins to wait for a server that is away; gets why and for how
    /// long, and must return at once.
    package var storeAway: @Sendable (StoreError, _ patience: Duration) -> Void = { _, _ in }
    /// Called when such a server answers again; must return at once.
    package var storeBack: @Sendable () -> Void = {}

    package init(
        busyTimeout: Duration = .seconds(5), maximumPages: Int? = nil,
        inboxRuns: Int = 1_000, owner: UInt32 = geteuid(),
        payloadKey: PayloadKeySource = .fileBesideStore,
        payloadKeyMade: @escaping @Sendable (_ path: String) -> Void = { _ in }
    ) {
        self.busyTimeout = busyTimeout
        self.maximumPages = maximumPages
        self.inboxRuns = inboxRuns
        self.owner = owner
        self.payloadKey = payloadKey
        self.payloadKeyMade = payloadKeyMade
    }
}
