/// The message for one recipient, or for up to 20 that share one request, on one platform.
package struct Push: Hashable, Sendable {
    /// What the sender's result is told apart by; unique in its page.
    package var number: Int
    /// 1 to 20.
    package var usernames: [Username]
    package var body: [UInt8]

    package init(number: Int, usernames: [Username], body: [UInt8]) {
        self.number = number
        self.usernames = usernames
        self.body = body
    }
}
