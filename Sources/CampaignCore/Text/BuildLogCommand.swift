/// Finds the commands of build logs that are obeyed anywhere in a line: `##[`, in Azure Pipelines `##vso[`, in TeamCity
/// `##teamcity[`.
///
/// Any letters count as a name, since each tool has its own. It is shown a text scalar by scalar, so that no mark beside a sign
/// hides it.
struct BuildLogCommand: Sendable {
    /// How many `#` stand before.
    private var hashes = 0
    /// Whether letters stand behind them.
    private var isNamed = false

    /// Takes the next scalar.
    ///
    /// - Returns: whether it is the bracket that makes a command of what stands before it.
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
