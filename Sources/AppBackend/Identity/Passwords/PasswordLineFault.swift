package import CampaignCore

/// What is wrong with one line of a password file; never with what the line says.
package enum PasswordLineFault: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case notText
    case noColon
    case name(UsernameFault)
    case duplicate(firstLine: Int)
    case md5
    case sha
    /// `$2$` and `$2x$`, which stand for faults of old programs.
    case oldBcrypt
    /// Of no kind that is known: DES, plain text, a locked password.
    case unknown
    /// Cut short, or with parameters that no program writes.
    case malformed(PasswordMethod)
    case tooCheap(PasswordMethod, Int)
    case tooCostly(PasswordMethod, Int)

    package var description: String {
        switch self {
        case .tooLong:
            "it has more than \(PasswordFile.longestLine) bytes, and is no line of name:hash"
        case .notText:
            "it is not UTF-8, and is no line of name:hash"
        case .noColon:
            "it has no colon; write name:hash, or # before a comment"
        case .name(let fault):
            "the name \(fault)"
        case .duplicate(let line):
            "line \(line) has the same user already; delete one of them"
        case .md5:
            "the hash is MD5, which is broken in no time. \(Self.advice)"
        case .sha:
            "the hash is SHA, which is too fast to protect a password. \(Self.advice)"
        case .oldBcrypt:
            "the hash is of a faulty old kind of bcrypt. \(Self.advice)"
        case .unknown:
            "what follows the name is no hash of bcrypt ($2y$) or yescrypt ($y$); "
                + "plain text and DES are not taken. \(Self.advice)"
        case .malformed(let method):
            "the hash of \(method) is not complete, or no program makes it so. \(Self.advice)"
        case .tooCheap(let method, let cost):
            "the hash of \(method) has the cost \(cost), and less than \(method.costs.lowerBound) "
                + "is too fast to protect a password. \(Self.advice)"
        case .tooCostly(let method, let cost):
            "the hash of \(method) has the cost \(cost), and more than \(method.costs.upperBound) "
                + "would stall the server. \(Self.advice)"
        }
    }

    private static let advice =
        "Make a new one with `htpasswd -B -C 12` or `mkpasswd -m yescrypt`"
}
