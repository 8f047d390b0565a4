/// Which mailbox holds each of the newest pushes of the whole hub, so that memory stays bounded however
/// many devices there are.
struct PushRetention: Sendable {
    private let limit: Int
    private var mailboxes: [Int32] = []
    private var next = 0

    /// Makes a retention.
    ///
    /// - Parameter limit: the most pushes that the hub keeps, at least 1.
    init(limit: Int) {
        self.limit = limit
    }

    /// Numbers the next push.
    ///
    /// - Parameter mailbox: the place of the mailbox that it goes to.
    /// - Returns: its number, and the push that has to go for it, if one has.
    mutating func take(
        for mailbox: Int
    ) -> (sequence: Int, letGo: (mailbox: Int, sequence: Int)?) {
        let sequence = next
        next += 1
        guard sequence >= limit else {
            mailboxes.append(Int32(mailbox))
            return (sequence, nil)
        }
        let place = sequence % limit
        let oldest = (mailbox: Int(mailboxes[place]), sequence: sequence - limit)
        mailboxes[place] = Int32(mailbox)
        return (sequence, oldest)
    }
}
