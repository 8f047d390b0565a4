import Glibc

/// What a store is opened with.
package struct StoreOptions: Hashable, Sendable {
    /// How long a call waits for another process's transaction.
    package var busyTimeout: Duration
    /// The most pages of 4 KiB that the file may have; nil: SQLite's own bound.
    package var maximumPages: Int?
    /// The user whom the files have to belong to.
    package var owner: UInt32

    /// - Parameters:
    ///   - busyTimeout: how long a call waits for another process's transaction.
    ///   - maximumPages: the most pages of 4 KiB that the file may have; nil: SQLite's own bound.
    ///   - owner: the user whom the files have to belong to; this process's unless given.
    package init(
        busyTimeout: Duration = .seconds(5), maximumPages: Int? = nil, owner: UInt32 = geteuid()
    ) {
        self.busyTimeout = busyTimeout
        self.maximumPages = maximumPages
        self.owner = owner
    }
}
