/// The newest requests that sent, as JSON shows them.
struct SendPage: Encodable {
    /// The newest come first.
    let sends: [SendReport]

    /// Lists what a hub still knows; a send that was cancelled never went out, and is left out.
    ///
    /// - Parameters:
    ///   - query: which sends.
    ///   - hub: the hub; it is looked at a slice at a time, and compared without its lock.
    init(_ query: SendQuery, of hub: HubStore) {
        let ids = query.ids(in: hub)
        var sends: [SendReport] = []
        var next: Int?
        repeat {
            let from = next
            let (records, rest) = hub.update { state in
                state.notifications.newest(
                    before: from, limit: from == nil ? query.limit : LookBudget.slice)
            }
            sends += records.lazy.filter { query.includes($0, among: ids) }
                .prefix(query.limit - sends.count).map(SendReport.init)
            next = rest
        } while next != nil && sends.count < query.limit
        self.sends = sends
    }
}
