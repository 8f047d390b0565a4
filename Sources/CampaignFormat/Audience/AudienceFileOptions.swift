/// How an audience file is read, as its entry in a campaign says.
struct AudienceFileOptions: Hashable, Sendable {
    /// What becomes of a file with rows that cannot be read.
    enum BadRows: String, CaseIterable, Sendable {
        /// Nobody is sent to.
        case refuse
        /// The others are sent to; who was left out is counted and named.
        case skip
    }

    /// The column of a table with the usernames; nil: ``CSVHeader/usernameColumn``.
    var usernameColumn: String?
    /// How old the file may be; nil: as old as it is.
    var maximumAge: Duration?
    var badRows = BadRows.refuse
    var encoding = TextEncoding.utf8
    /// Nil: what its header shows.
    var separator: CSVSeparator?

    /// Whether only a table has what was said.
    var describesTable: Bool { usernameColumn != nil || separator != nil }
}
