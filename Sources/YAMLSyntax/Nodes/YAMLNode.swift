/// A value in a YAML file that knows where it stands.
package struct YAMLNode: Sendable {
    /// What a node can hold.
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// The entries in file order. Of a key that is written twice both entries are here; the
        /// document has a fault about the second.
        case mapping([YAMLMapping.Entry])
    }

    /// Where the node's own text stands, without its tag and anchor.
    ///
    /// Where an alias such as `*people` stands for the node, this is the alias; the nodes within
    /// keep the places where they are written.
    package let range: SourceRange

    /// What the node holds.
    package let content: Content

    private let explicitTag: YAMLTag?

    /// Whether this node stands in for what could not be read, which the document has a fault about.
    ///
    /// A reader has nothing to add about its kind or content.
    package let isPlaceholder: Bool

    /// The tag in front of the node in its short form, such as `!!str`; nil where none is written.
    package var tag: String? { explicitTag?.rawValue }

    /// Makes a node.
    ///
    /// - Parameters:
    ///   - content: what it holds.
    ///   - range: where its text stands.
    ///   - tag: its explicit tag.
    ///   - isPlaceholder: whether a fault about it has been reported.
    package init(
        _ content: Content, range: SourceRange, tag: YAMLTag? = nil, isPlaceholder: Bool = false
    ) {
        self.content = content
        self.range = range
        self.explicitTag = tag
        self.isPlaceholder = isPlaceholder
    }

    /// The same node standing at another place: where an alias stands for it.
    func standing(at range: SourceRange) -> YAMLNode {
        YAMLNode(content, range: range, tag: explicitTag, isPlaceholder: isPlaceholder)
    }

    /// What stands where a node could not be read.
    static func placeholder(at range: SourceRange) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text: "", style: .plain)), range: range, isPlaceholder: true)
    }
}
