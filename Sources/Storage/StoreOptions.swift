import Glibc

package struct StoreOptions: Sendable {
    /// How long a call waits for another process's transaction.
    package var busyTimeout: Duration
    /// The maximum number of 4 KiB pages in the file; nil means SQLite's own limit.
    package var maximumPages: Int?
    /// The maximum number of runs in a person's inbox, which are the newest that have not expired.
    package var inboxRuns: Int
    package var owner: UInt32
    /// Whether a flag or variable names the store, so that root may create it in another user's
    /// folder.
    package var isNamed = false
    /// The source of the payload key, which is read when the key is first used.
    package var payloadKey: PayloadKeySource
    /// Called once after a key file was created, with its path.
    package var payloadKeyMade: @Sendable (_ path: String) -> Void
    /// Called when work on a run begins to wait for an unavailable server, with the reason and the
    /// maximum wait; must return immediately.
    package var storeAway: @Sendable (StoreError, _ patience: Duration) -> Void = { _, _ in }
    /// Called when the server is available again; must return immediately.
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
