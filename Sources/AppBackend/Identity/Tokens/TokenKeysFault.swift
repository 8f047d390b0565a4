/// What is wrong with the list of keys that the config names.
package enum TokenKeysFault: Hashable, Sendable, CustomStringConvertible {
    case none
    case duplicate(id: String)
    /// A key without a `kid` beside others.
    case unnamedAmongOthers

    package var description: String {
        switch self {
        case .none: "there is none; name at least one"
        case .duplicate(let id): "two have the kid \(id); give each its own"
        case .unnamedAmongOthers: "one has no kid; give each its own where there are several"
        }
    }
}
