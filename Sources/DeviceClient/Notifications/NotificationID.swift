/// The id of a notification on the backend, which is the only content of a secure push.
///
/// An id consists of 26 characters from `a-z2-7`. Only a valid id can become part of a URL.
public struct NotificationID: Hashable, Sendable, CustomStringConvertible {
    private static let length = 26
    private static let alphabet = Set("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// The id, as it is in the push.
    public let text: String

    /// Reads an id; nil if the text is not a valid id.
    public init?(_ text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else {
            return nil
        }
        self.text = text
    }

    /// The id, as it is in the push.
    public var description: String { text }
}
