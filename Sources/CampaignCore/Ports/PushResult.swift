/// What became of one push of a page.
package struct PushResult: Hashable, Sendable {
    /// ``Push/number``.
    package var number: Int
    package var disposition: PushDisposition
    /// Status and reason, without controls, at most 200 characters; empty when accepted.
    package var detail: String
    /// The hub's message id, where it gave one.
    package var hubMessage: String?
    /// Requests made for it: 0 when it did not begin, 2 when a token was renewed in between.
    package var requests: Int

    package init(
        number: Int, disposition: PushDisposition, detail: String = "", hubMessage: String? = nil,
        requests: Int = 1
    ) {
        self.number = number
        self.disposition = disposition
        self.detail = detail
        self.hubMessage = hubMessage
        self.requests = requests
    }
}
