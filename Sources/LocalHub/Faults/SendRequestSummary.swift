/// What a fault is decided by: one send that the hub would take.
package struct SendRequestSummary: Sendable, Hashable {
    /// Which send this is, counted from 1, over all that were authorised and well formed.
    package let ordinal: Int
    /// The push service that it is for; nil: a template send, for any.
    package let platform: LocalHubPlatform?
    /// The tag expression as sent; nil: a broadcast.
    package let tags: String?
    /// The size of the payload in bytes.
    package let bodyBytes: Int
}
