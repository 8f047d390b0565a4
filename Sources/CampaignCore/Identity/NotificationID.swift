/// The id of a stored payload: all that a silent push carries.
///
/// `[a-z2-7]{26}`, from 130 random bits, so that nobody can guess another person's.
package struct NotificationID: Hashable, Sendable, CustomStringConvertible {
    /// How many letters an id has.
    package static let length = 26

    /// What previews show in place of an id that does not exist yet.
    package static let placeholder = NotificationID(checked: String(repeating: "a", count: length))

    package let text: String

    /// Reads an id; nil when the text is not one.
    package init?(_ text: String) {
        guard Base32.isWritten(text, count: Self.length) else { return nil }
        self.text = text
    }

    /// Takes an id that was checked before, such as one read back from the store.
    package init(checked text: String) {
        self.text = text
    }

    /// Draws a new id.
    ///
    /// - Parameter generator: must be cryptographically secure outside of tests.
    package static func random(using generator: inout some RandomNumberGenerator) -> NotificationID
    {
        NotificationID(checked: Base32.random(count: length, using: &generator))
    }

    package var description: String { text }
}
