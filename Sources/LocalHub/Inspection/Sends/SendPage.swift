/// The newest requests that sent, as JSON shows them.
struct SendPage: Encodable {
    /// The newest come first.
    let sends: [SendReport]

    /// Lists what a hub still knows; a send that was cancelled never went out, and is left out.
    ///
    /// - Parameters:
    ///   - hub: the hub.
    ///   - limit: the most sends.
    init(of hub: HubStore, limit: Int) {
        var sends: [SendReport] = []
        var next: Int?
        repeat {
            let from = next
            let (records, rest) = hub.update { state in
                state.notifications.newest(
                    before: from, limit: from == nil ? limit : LookBudget.slice)
            }
            sends += records.lazy.filter { $0.sent != nil }.prefix(limit - sends.count)
                .map(SendReport.init)
            next = rest
        } while next != nil && sends.count < limit
        self.sends = sends
    }
}
