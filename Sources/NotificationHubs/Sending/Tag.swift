/// One hub tag, such as `username:alice`.
public struct Tag: Sendable, Hashable {
    /// The tag as written.
    public let rawValue: String

    /// The most characters that a tag may have (reference: section 4).
    public static let lengthLimit = 120

    /// Checks a tag.
    ///
    /// - Parameter text: 1 to 120 ASCII letters, digits and `_ @ # . : -`.
    /// - Throws: ``TagError`` for anything else.
    public init(_ text: String) throws(TagError) {
        guard !text.isEmpty else { throw .emptyTag }
        guard text.utf8.allSatisfy(Self.allows) else { throw .forbiddenCharacter }
        guard text.utf8.count <= Self.lengthLimit else { throw .tagTooLong }
        rawValue = text
    }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "@"),
            UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension Tag: CustomStringConvertible {
    /// The tag as written.
    public var description: String { rawValue }
}
