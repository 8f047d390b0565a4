/// The values that aliases can stand for.
struct AnchorTable {
    /// A finished value with what an alias to it costs.
    struct Target {
        let node: YAMLNode
        /// How many nodes it consists of, itself included.
        let size: Int
        /// How many collections are open inside each other in it.
        let height: Int
    }

    /// One definition of an anchor; a later one of the same name replaces it.
    struct Definition {
        fileprivate let name: String
        fileprivate let number: Int
    }

    enum Lookup {
        case unknown
        /// The alias stands inside the value it names.
        case open
        case found(Target)
    }

    private var targets: [String: (number: Int, target: Target?)] = [:]
    private var definitions = 0

    /// Notes that the value with an anchor begins.
    mutating func begin(_ name: String) -> Definition {
        definitions += 1
        targets[name] = (definitions, nil)
        return Definition(name: name, number: definitions)
    }

    /// Notes that this value is complete, unless an anchor within it took its name.
    mutating func finish(_ definition: Definition, as target: Target) {
        guard targets[definition.name]?.number == definition.number else { return }
        targets[definition.name] = (definition.number, target)
    }

    /// What an alias with a name stands for.
    func target(of name: String) -> Lookup {
        guard let entry = targets[name] else { return .unknown }
        return entry.target.map { .found($0) } ?? .open
    }
}
