/// The id of a plan: the beginning of its file's digest, by which a run tells what it was sent by.
///
/// `[a-z2-7]{12}`, 60 bits: enough to tell the plans of a store apart, and short enough for a list.
package struct PlanID: Hashable, Sendable, CustomStringConvertible {
    /// How many letters an id has.
    package static let length = 12

    package let text: String

    /// Reads an id; nil when the text is not one.
    package init?(_ text: String) {
        guard Base32.isWritten(text, count: Self.length) else { return nil }
        self.text = text
    }

    /// Makes the id of a file.
    ///
    /// - Parameter digest: the SHA-256 of the plan's file.
    package init(digest: some Sequence<UInt8>) {
        text = Base32.text(of: digest, count: Self.length)
    }

    package var description: String { text }
}
