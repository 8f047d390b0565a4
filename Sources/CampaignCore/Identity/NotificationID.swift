/// The ID of a stored payload, which is all that a secure push contains.
///
/// It has the form `[a-z2-7]{26}` and consists of 130 random bits, so nobody can guess it.
package struct NotificationID: Hashable, Sendable, CustomStringConvertible {
    package static let length = 26

    /// Previews show this instead of an ID that does not exist yet.
    package static let placeholder = NotificationID(checked: String(repeating: "a", count: length))

    package let text: String

    package init?(_ text: String) {
        guard Base32.isWritten(text, count: Self.length) else { return nil }
        self.text = text
    }

    /// Skips the check, for example for an id read from the store.
    package init(checked text: String) {
        self.text = text
    }

    /// The generator must be cryptographically secure outside tests.
    package static func random(using generator: inout some RandomNumberGenerator) -> NotificationID
    {
        NotificationID(checked: Base32.random(count: length, using: &generator))
    }

    package var description: String { text }
}
