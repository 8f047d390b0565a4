/// What became of one message, and how many requests were made for it.
struct SendOutcome: Sendable {
    /// The hub's receipt, or why there is none.
    let result: Result<SendReceipt, HubError>

    /// Requests that began: 0 when no connection came about, 2 when a token was renewed in between.
    let requests: Int
}
