/// The reason why a registration or installation is not valid; nothing was sent.
public enum RegistrationError: Error, Hashable {
    /// There are more than 60 tags.
    case tooManyTags
    /// A tag has characters or a length that hubs do not allow.
    case invalidTag
    /// A template's name has more than 200 characters.
    case templateNameTooLong
    /// A template for Windows does not have the header `X-WNS-Type`.
    case missingWNSType
    /// A string contains a character that XML does not allow.
    case unwritableCharacter
    /// This library does not know the push service.
    case unknownChannel
    /// An id or a name is empty or too long, or contains a slash or a control character.
    case invalidID
    /// A handle, or the key of a browser, is empty or too long.
    case invalidHandle
    /// The channel of an installation is for a secondary tile, which belongs in `secondaryTiles`.
    case misplacedTile
    /// The registration has no id or version, because it was not read from a hub.
    case notKept
    /// The installation could not be encoded as JSON.
    case notJSON
}

extension RegistrationError: CustomStringConvertible {
    /// A sentence that says what is wrong and what to do.
    public var description: String {
        switch self {
        case .tooManyTags:
            "There are more than \(Registration.tagLimit) tags. Remove some."
        case .invalidTag:
            "A tag must consist of 1 to \(Tag.lengthLimit) ASCII letters, digits and _ @ # . : "
                + "-. Correct it."
        case .templateNameTooLong:
            "A template's name has more than \(RegistrationTemplate.nameLimit) characters. "
                + "Shorten it."
        case .missingWNSType:
            "A template for Windows requires the header X-WNS-Type. Add it."
        case .unwritableCharacter:
            "A string contains a control character that XML does not allow. Remove it."
        case .unknownChannel:
            "The push service is unknown, so the registration can only be read and deleted."
        case .invalidID:
            "An id or a name is empty or longer than 4,096 bytes, or contains a slash or a "
                + "control character. Correct it."
        case .invalidHandle:
            "A handle, or the key of a browser, is empty or longer than 4,096 bytes. Correct it."
        case .misplacedTile:
            "An installation's secondary tiles belong in secondaryTiles, not in its channel."
        case .notKept:
            "The registration has no id or version. Read it from the hub first."
        case .notJSON:
            "The installation cannot be encoded as JSON. Use valid Unicode text."
        }
    }
}

enum RegistrationRules {
    private static let longest = 4_096

    static func check(tags: [String]) throws(RegistrationError) {
        guard tags.count <= Registration.tagLimit else { throw .tooManyTags }
        for tag in tags where !isTag(tag) { throw .invalidTag }
    }

    static func isHandle(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
    }

    static func isID(_ text: String) -> Bool {
        isHandle(text) && !text.utf8.contains(UInt8(ascii: "/")) && text != "." && text != ".."
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private static func isTag(_ text: String) -> Bool {
        do throws(TagError) {
            for kind in SpecialTag.allCases
            where text.hasPrefix(kind.opening) && text.hasSuffix("}") {
                let inner = text.dropFirst(kind.opening.count).dropLast()
                _ = try Tag.special(kind, String(inner))
                return true
            }
            _ = try Tag(text)
            return true
        } catch {
            return false
        }
    }
}
