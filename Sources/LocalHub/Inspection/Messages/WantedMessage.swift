/// The message that somebody waits for.
struct WantedMessage: Sendable {
    /// Whose it is, by the exact name; nil: anybody's.
    let user: String?
    /// The number of the last message that is known; 0: none is.
    let after: Int
    /// The hub.
    let hub: HubStore

    /// The oldest message that it can be; nil when there is none yet.
    func find() -> Message? {
        var query = MessageQuery()
        query.user = user
        query.after = after
        var search = MessageSearch(query, in: hub)
        return search.next()
    }
}
