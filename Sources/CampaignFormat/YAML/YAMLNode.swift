/// A value in a YAML file with its place.
package struct YAMLNode: Sendable {
    package struct Entry: Sendable {
        /// The key, which is always a scalar, with the range of its own text.
        package let key: YAMLNode
        /// The value; a plain empty scalar after the colon if the file has no value.
        package let value: YAMLNode
    }

    package enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// The entries in file order, including both entries of a repeated key, which the document
        /// reports.
        case mapping([Entry])
    }

    /// The place of the node's text, without tag and anchor, or of the alias that refers to the
    /// node.
    ///
    /// Nodes within an aliased node keep the places where they are written.
    package let range: SourceRange

    package let content: Content

    private let explicitTag: YAMLTag?

    /// Whether this replaces an unreadable part, which the document reports; a reader must not
    /// report it again.
    package let isPlaceholder: Bool

    /// The explicit tag in its short form, such as `!!str`.
    package var tag: String? { explicitTag?.rawValue }

    package init(
        _ content: Content, range: SourceRange, tag: YAMLTag? = nil, isPlaceholder: Bool = false
    ) {
        self.content = content
        self.range = range
        self.explicitTag = tag
        self.isPlaceholder = isPlaceholder
    }

    /// The same node at the place of an alias.
    func moved(at range: SourceRange) -> YAMLNode {
        YAMLNode(content, range: range, tag: explicitTag, isPlaceholder: isPlaceholder)
    }

    static func placeholder(at range: SourceRange) -> YAMLNode {
        YAMLNode(.scalar(YAMLScalar(text: "", style: .plain)), range: range, isPlaceholder: true)
    }
}

package struct YAMLScalar: Hashable, Sendable {
    /// Only plain text can mean null, a boolean or a number.
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

    package let style: Style
}

/// The tags of the YAML 1.2 core schema.
package enum YAMLTag: String, CaseIterable, Sendable {
    case string = "!!str"
    case integer = "!!int"
    case float = "!!float"
    case boolean = "!!bool"
    case null = "!!null"
    case sequence = "!!seq"
    case mapping = "!!map"

    /// Finds a tag by its full address, such as `tag:yaml.org,2002:str`.
    init?(address: String) {
        let prefix = "tag:yaml.org,2002:"
        guard address.hasPrefix(prefix) else { return nil }
        self.init(rawValue: "!!" + address.dropFirst(prefix.count))
    }
}
