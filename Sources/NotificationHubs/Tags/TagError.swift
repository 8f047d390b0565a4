/// Why a tag or a tag expression cannot be one (reference: section 4).
public enum TagError: Error, Hashable {
    /// The tag has no character.
    case emptyTag
    /// The tag has a character that hubs do not allow.
    case forbiddenCharacter
    /// The tag has more than 120 characters.
    case tagTooLong
    /// There is no tag at all, which a hub would take as everybody.
    case noTags
    /// There are more than 20 tags.
    case tooManyTags
    /// There are more than 6 tags, and `&&` or `!` among them.
    case tooManyMixedTags
}

extension TagError: CustomStringConvertible {
    /// A sentence with what to do about it.
    public var description: String {
        switch self {
        case .emptyTag:
            "A tag is empty. Hub tags have 1 to \(Tag.lengthLimit) characters."
        case .forbiddenCharacter:
            "A tag has a character that hubs do not allow. Hub tags take ASCII letters, digits "
                + "and _ @ # . : -"
        case .tagTooLong:
            "A tag has more than \(Tag.lengthLimit) characters. Shorten it."
        case .noTags:
            "A tag expression needs a tag: a hub sends a message without tags to every device. "
                + "Name at least one."
        case .tooManyTags:
            "A tag expression has more than \(TagExpression.tagLimit) tags. Send it in several "
                + "requests."
        case .tooManyMixedTags:
            "A tag expression with && or ! has more than \(TagExpression.mixedTagLimit) tags. "
                + "Send it in several requests, or join the tags by || only."
        }
    }
}
