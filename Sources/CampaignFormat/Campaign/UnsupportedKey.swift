/// A key of the contract that a campaign or config uses and hubsend does not act on yet: a run refuses it.
package struct UnsupportedKey: Hashable, Sendable {
    /// Such as `delivery.stop_when`.
    package let key: String
    package let range: TextRange

    package init(key: String, range: TextRange) {
        self.key = key
        self.range = range
    }
}
