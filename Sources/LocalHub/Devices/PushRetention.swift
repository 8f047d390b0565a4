/// Which mailbox holds each of the newest pushes of the whole hub, so that memory stays bounded however
/// many devices there are.
struct PushRetention: Sendable {
    private let limit: Int
    private var mailboxes: [Int32] = []
    /// The number of the newest push; 0: there was none.
    private(set) var newest = 0

    /// Makes a retention.
    ///
    /// - Parameter limit: the most pushes that the hub keeps, at least 1.
    init(limit: Int) {
        self.limit = limit
    }

    /// Numbers the next push.
    ///
    /// - Parameter mailbox: the place of the mailbox that it goes to.
    /// - Returns: its number, counted from 1, and the push that has to go for it, if one has.
    mutating func take(
        for mailbox: Int
    ) -> (sequence: Int, letGo: (mailbox: Int, sequence: Int)?) {
        newest += 1
        let sequence = newest
        guard sequence > limit else {
            mailboxes.append(Int32(mailbox))
            return (sequence, nil)
        }
        let place = (sequence - 1) % limit
        let oldest = (mailbox: Int(mailboxes[place]), sequence: sequence - limit)
        mailboxes[place] = Int32(mailbox)
        return (sequence, oldest)
    }
}
