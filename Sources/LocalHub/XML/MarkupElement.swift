/// An element of a small XML document, by local names: clients choose their prefixes.
struct MarkupElement: Equatable, Sendable {
    /// The local name.
    let name: String
    /// The attributes by local name; namespace declarations are not among them.
    let attributes: [String: String]
    /// The character data directly inside, CDATA included.
    var text = ""
    /// The elements inside.
    var children: [MarkupElement] = []

    /// Whether the element says that it has no value: `i:nil="true"`, or `"1"`, the other way to write it.
    var isNil: Bool { ["true", "1"].contains(attributes["nil"]) }

    /// The first element of a name inside; nil when there is none, or it says that it has no value.
    ///
    /// - Parameter name: the local name.
    subscript(name: String) -> MarkupElement? {
        children.first { $0.name == name && !$0.isNil }
    }
}
