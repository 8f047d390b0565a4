/// One header that goes with a push, beside those of the hub's protocol.
package struct PushHeader: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
