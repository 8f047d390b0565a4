struct AnchorTable {
    /// A complete value with the cost of an alias to it.
    struct Target {
        let node: YAMLNode
        /// The number of nodes in the value, including the value itself.
        let size: Int
        /// The depth of collections in the value.
        let height: Int
    }

    /// A definition of an anchor; a later definition with the same name replaces it.
    struct Definition {
        fileprivate let name: String
        fileprivate let number: Int
    }

    enum Lookup {
        case unknown
        /// The alias is inside the value that it refers to.
        case open
        case found(Target)
    }

    private var targets: [String: (number: Int, target: Target?)] = [:]
    private var definitions = 0

    mutating func begin(_ name: String) -> Definition {
        definitions += 1
        targets[name] = (definitions, nil)
        return Definition(name: name, number: definitions)
    }

    /// Records that this value is complete, unless an anchor inside the value has reused the name.
    mutating func finish(_ definition: Definition, as target: Target) {
        guard targets[definition.name]?.number == definition.number else { return }
        targets[definition.name] = (definition.number, target)
    }

    func target(of name: String) -> Lookup {
        guard let entry = targets[name] else { return .unknown }
        return entry.target.map { .found($0) } ?? .open
    }
}
