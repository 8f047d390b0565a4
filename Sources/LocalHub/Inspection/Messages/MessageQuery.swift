/// Which messages somebody asks for.
struct MessageQuery: Sendable {
    /// Whose, by the exact name; nil: everybody's.
    var user: String?
    /// Those of the device that this registration leads to; nil: every device's.
    var registration: String?
    /// A part of the names of whose; nil: everybody's.
    var search: UserSearch?
    /// A text in the names of whose, or in what was pushed; nil: any.
    var find: TextSearch?
    /// What became of them; nil: whatever did.
    var outcome: MessageOutcome?
    /// Only those behind this number, and then the oldest of them; nil: the newest of all.
    var after: Int?
    /// Only those before this number; nil: up to the newest.
    var before: Int?
    /// The most messages.
    var limit = 50

    /// Asks for the newest messages of everybody.
    init() {}

    /// Reads the query of a request.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - hub: the hub whose newest message `now` means.
    /// - Throws: a 400 for a wrong value.
    init(_ query: InspectionQuery, in hub: HubStore) throws(HubFailure) {
        user = try query.user()
        registration = try query.registration()
        search = try query.search()
        find = try query.find()
        after = try query.after(in: hub)
        before = try query.sequence("before")
        limit = try query.limit()
        outcome = try query.outcome()
    }
}
