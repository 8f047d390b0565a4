/// Who a send is for: devices that have any of 1 to 20 tags.
///
/// There is no empty value, so that a send to every device cannot be expressed by leaving the tags
/// out.
public struct TagExpression: Sendable, Hashable {
    /// The tags, in the order given.
    public let tags: [Tag]

    /// The most tags that may be joined by `||` (reference: section 4).
    public static let tagLimit = 20

    /// Addresses the devices that have one tag.
    ///
    /// - Parameter tag: the tag.
    public init(_ tag: Tag) {
        tags = [tag]
    }

    /// Addresses the devices that have any of several tags.
    ///
    /// - Parameter tags: 1 to 20 tags.
    /// - Throws: ``TagError/noTags`` or ``TagError/tooManyTags``.
    public init(anyOf tags: [Tag]) throws(TagError) {
        guard !tags.isEmpty else { throw .noTags }
        guard tags.count <= Self.tagLimit else { throw .tooManyTags }
        self.tags = tags
    }
}

extension TagExpression: CustomStringConvertible {
    /// The expression as the hub reads it: tags joined by `||`, without spaces.
    public var description: String {
        tags.map(\.rawValue).joined(separator: "||")
    }
}
