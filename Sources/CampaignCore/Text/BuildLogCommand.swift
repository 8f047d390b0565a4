/// Finds build-log commands that build servers obey anywhere in a line.
///
/// Examples are `##[`, `##vso[` (Azure Pipelines) and `##teamcity[`. Any letters are treated as a
/// command's name. Scalars are read, so that a combining mark cannot hide a command.
struct BuildLogCommand: Sendable {
    /// The number of `#` characters immediately before.
    private var hashes = 0
    /// Whether letters follow the `#` characters.
    private var isNamed = false

    /// Reads the next scalar; returns true if it is the bracket that completes a command.
    mutating func isFormed(by scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "#":
            hashes = isNamed ? 1 : hashes + 1
            isNamed = false
            return false
        case "a"..."z" where hashes >= 2, "A"..."Z" where hashes >= 2:
            isNamed = true
            return false
        default:
            defer { (hashes, isNamed) = (0, false) }
            return scalar == "[" && hashes >= 2
        }
    }
}
