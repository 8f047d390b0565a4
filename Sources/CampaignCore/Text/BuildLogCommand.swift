/// Finds the commands of build logs that are obeyed anywhere in a line: `##[` and, in Azure Pipelines, `##vso[`.
///
/// It is shown a text scalar by scalar, so that no mark beside a sign hides it.
struct BuildLogCommand: Sendable {
    private static let name: [UInt32] = "vso".unicodeScalars.map(\.value)
    private static let lowerCase: UInt32 = 0x20

    /// How many `#` stand before.
    private var hashes = 0
    /// How many letters of the name stand behind them.
    private var letters = 0

    /// Takes the next scalar.
    ///
    /// - Returns: whether it is the bracket that makes a command of what stands before it.
    mutating func isFormed(by scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "#":
            hashes = letters == 0 ? hashes + 1 : 1
            letters = 0
            return false
        case "[" where hashes >= 2 && (letters == 0 || letters == Self.name.count):
            (hashes, letters) = (0, 0)
            return true
        case _
        where hashes >= 2 && letters < Self.name.count
            && scalar.value | Self.lowerCase == Self.name[letters]:
            letters += 1
            return false
        default:
            (hashes, letters) = (0, 0)
            return false
        }
    }
}
