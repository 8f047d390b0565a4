/// A value in a YAML file that knows where it stands.
package struct YAMLNode: Sendable {
    /// A key of a mapping with its value.
    package struct Entry: Sendable {
        /// The key, always a scalar, with the range of its own text.
        package let key: YAMLNode
        /// The value; a plain empty scalar just after the colon where the file has none.
        package let value: YAMLNode

        package init(key: YAMLNode, value: YAMLNode) {
            self.key = key
            self.value = value
        }
    }

    /// What a node can hold.
    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// The entries in file order. Of a key that is written twice both entries are here; the
        /// document has a fault about the second.
        case mapping([Entry])
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

/// A text value: what it says and how it was written.
package struct YAMLScalar: Hashable, Sendable {
    /// How a scalar is written; only plain text can mean null, a boolean or a number.
    package enum Style: Sendable {
        case plain
        case singleQuoted
        case doubleQuoted
        /// Introduced by `|`: line breaks are kept.
        case literal
        /// Introduced by `>`: lines are joined.
        case folded
    }

    /// The text after unquoting, unescaping and folding.
    package let text: String

    /// How the text is written.
    package let style: Style

    package init(text: String, style: Style) {
        self.text = text
        self.style = style
    }
}

/// The tags that a file may give explicitly: those of the YAML 1.2 core schema.
package enum YAMLTag: String, CaseIterable, Sendable {
    case string = "!!str"
    case integer = "!!int"
    case float = "!!float"
    case boolean = "!!bool"
    case null = "!!null"
    case sequence = "!!seq"
    case mapping = "!!map"

    /// Finds the tag for a full tag address such as `tag:yaml.org,2002:str`; nil for any other.
    init?(address: String) {
        let prefix = "tag:yaml.org,2002:"
        guard address.hasPrefix(prefix) else { return nil }
        self.init(rawValue: "!!" + address.dropFirst(prefix.count))
    }
}
