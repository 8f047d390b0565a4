/// What the databases say differently.
package struct SQLDialect: Sendable {
    /// The functions for the greatest and the least of several values.
    package let greatest: String
    package let least: String
    /// Locks the rows of a query until the transaction ends, where several may write at once.
    package let forUpdate: String
    /// Keeps others from changing the rows of a query until the transaction ends; they may read
    /// them, with this too.
    package let forShare: String
    /// The requests of a row of `runs`.
    package let requests: String
    /// The column of `registrations` with their owner's name.
    package let owner: String
    /// The platforms of a row of `runs` in their order, with spaces between them.
    package let platforms: String
    /// How many bytes the message of a row `n` of `notifications` has.
    package let messageBytes: String
    /// The function for where in a text another one begins, from 1; 0: nowhere.
    package let position: String
    /// Takes a delivery away from the process that has it, at the end of the `SET` of an `UPDATE`.
    package let disowned: String
    /// Which `content` each `run` uses, as a table.
    package let runContents: String
    /// Each `run` and `number` of a notification that was revoked alone and is not emptied.
    package let revokedNotifications: String

    /// The seal that a row of `run_sums` must have, which reveals damage; nil: rows have none.
    package let sealOfSums: String?
    /// Whether this is PostgreSQL, not SQLite.
    ///
    /// Its statistics, which may be outdated, decide in which order tables are read; SQLite joins
    /// them as they are written.
    let isServer: Bool

    package init(
        greatest: String, least: String, forUpdate: String, forShare: String,
        requests: String, owner: String,
        platforms: String, messageBytes: String, position: String, disowned: String,
        runContents: String, revokedNotifications: String,
        sealOfSums: String?, isServer: Bool
    ) {
        self.greatest = greatest
        self.least = least
        self.forUpdate = forUpdate
        self.forShare = forShare
        self.requests = requests
        self.owner = owner
        self.platforms = platforms
        self.messageBytes = messageBytes
        self.position = position
        self.disowned = disowned
        self.runContents = runContents
        self.revokedNotifications = revokedNotifications
        self.sealOfSums = sealOfSums
        self.isServer = isServer
    }
}
