/// Why a text is no pattern of tags that devices may ask for.
package enum TagPatternFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has a character that tags do not allow, or is empty or too long.
    case notATag
    /// It would take in tags that address people or are the hub's own.
    case reserved

    package var description: String {
        switch self {
        case .notATag:
            "is no tag: use 1 to 120 letters, digits and _ @ # . : -, with a * at the end for all that begin so"
        case .reserved:
            "could match username:, from: or $ tags, with which a device would get other people's pushes"
        }
    }
}
