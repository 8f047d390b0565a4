import Glibc

/// What a store is opened with.
package struct StoreOptions: Sendable {
    /// How long a call waits for another process's transaction.
    package var busyTimeout: Duration
    /// The most pages of 4 KiB that the file may have; nil: SQLite's own bound.
    package var maximumPages: Int?
    /// The most runs that one person's list is made from: the newest that have not expired.
    package var inboxRuns: Int
    /// The user whom the files have to belong to.
    package var owner: UInt32
    /// Where the key of its payloads comes from; asked when something is encrypted or decrypted for the first time.
    package var payloadKey: PayloadKeySource
    /// Told once, with its path, when a key file was made.
    package var payloadKeyMade: @Sendable (_ path: String) -> Void
    /// Told when work on a run begins to wait for a store that is away, once each time; must return at once.
    ///
    /// It gets why, and for how long a call waits. Only a store on a server is ever away.
    package var storeAway: @Sendable (StoreError, _ patience: Duration) -> Void = { _, _ in }
    /// Told when a store that was away answers again, once each time; must return at once.
    package var storeBack: @Sendable () -> Void = {}

    /// - Parameters:
    ///   - busyTimeout: how long a call waits for another process's transaction.
    ///   - maximumPages: the most pages of 4 KiB that the file may have; nil: SQLite's own bound.
    ///   - inboxRuns: the most runs that one person's list is made from.
    ///   - owner: the user whom the files have to belong to; this process's unless given.
    ///   - payloadKey: where the key of its payloads comes from.
    ///   - payloadKeyMade: told once, with its path, when a key file was made.
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
