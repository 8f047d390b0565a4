/// Finds build-log commands that are obeyed anywhere in a line.
///
/// Such as `##[`, `##vso[` (Azure Pipelines) and `##teamcity[`. Any letters count as a name. Reads
/// scalars, so that a combining mark hides nothing.
struct BuildLogCommand: Sendable {
    /// The number of preceding `#`.
    private var hashes = 0
    /// Whether letters follow them.
    private var isNamed = false

    /// Takes the next scalar; true if it is the bracket that completes a command.
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
