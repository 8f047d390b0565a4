import CampaignCore

/// A hub tag, such as `username:alice`.
public struct Tag: Sendable, Hashable {
    /// The tag as written.
    public let rawValue: String

    /// The maximum length of a tag in characters.
    public static let lengthLimit = 120

    /// Checks a tag: 1 to 120 ASCII letters, digits and `_ @ # . : -`.
    public init(_ text: String) throws(TagError) {
        try Self.check(text, allowing: Self.allows)
        rawValue = text
    }

    private init(prefix: SpecialTag, inner: String) throws(TagError) {
        try Self.check(inner) { Self.allows($0) || $0 == UInt8(ascii: "=") }
        rawValue = "\(prefix.opening)\(inner)}"
    }

    /// The hub's tag for all installations of a user; the id is 1 to 120 ASCII letters, digits and
    /// `_ @ # . : - =`.
    public static func userID(_ id: String) throws(TagError) -> Tag {
        try Tag(prefix: .userID, inner: id)
    }

    /// The hub's tag for one installation; the id is 1 to 120 ASCII letters, digits and
    /// `_ @ # . : - =`.
    public static func installationID(_ id: String) throws(TagError) -> Tag {
        try Tag(prefix: .installationID, inner: id)
    }

    static func special(_ prefix: SpecialTag, _ inner: String) throws(TagError) -> Tag {
        try Tag(prefix: prefix, inner: inner)
    }

    private static func check(_ text: String, allowing: (UInt8) -> Bool) throws(TagError) {
        guard !text.isEmpty else { throw .emptyTag }
        guard text.utf8.allSatisfy(allowing) else { throw .forbiddenCharacter }
        guard text.utf8.count <= Self.lengthLimit else { throw .tagTooLong }
    }

    static func allows(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric(or: "_@#.:-")
    }
}

extension Tag: CustomStringConvertible {
    /// The tag as written.
    public var description: String { rawValue }
}

/// The tags that hubs themselves set.
enum SpecialTag: String, CaseIterable {
    case userID = "$UserId"
    case installationID = "$InstallationId"

    /// The text before the id, which is followed by a closing brace.
    var opening: String { "\(rawValue):{" }
}

/// The reason why a tag or a tag expression is not valid.
public enum TagError: Error, Hashable {
    /// The tag is empty.
    case emptyTag
    /// The tag contains a character that hubs do not allow.
    case forbiddenCharacter
    /// The tag has more than 120 characters.
    case tagTooLong
    /// There are no tags; a hub would send the message to every device.
    case noTags
    /// There are more than 20 tags.
    case tooManyTags
    /// There are more than 6 tags in an expression with `&&` or `!`.
    case tooManyMixedTags
}

extension TagError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .emptyTag:
            "A tag is empty. Hub tags have 1 to \(Tag.lengthLimit) characters."
        case .forbiddenCharacter:
            "A tag contains a character that hubs do not allow. Use ASCII letters, digits "
                + "and _ @ # . : -"
        case .tagTooLong:
            "A tag has more than \(Tag.lengthLimit) characters. Shorten it."
        case .noTags:
            "A tag expression must contain a tag, because a hub sends a message without tags to "
                + "every device. Add at least one tag."
        case .tooManyTags:
            "A tag expression has more than \(TagExpression.tagLimit) tags. Send the message in "
                + "several requests."
        case .tooManyMixedTags:
            "A tag expression with && or ! has more than \(TagExpression.mixedTagLimit) tags. "
                + "Send the message in several requests, or use || as the only operator."
        }
    }
}
