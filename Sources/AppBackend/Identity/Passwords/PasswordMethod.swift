/// A way of hashing passwords that is slow on purpose.
package enum PasswordMethod: Hashable, Sendable {
    case bcrypt
    case yescrypt

    /// The costs that are taken, each step twice as slow as the one before it.
    ///
    /// A check of bcrypt at 14 takes about a second of a core. The costs of yescrypt are those of
    /// `crypt_gensalt` (crypt(5)): 5, its default, needs 16 MiB, and 8 needs 128 MiB.
    var costs: ClosedRange<Int> {
        switch self {
        case .bcrypt: 10...14
        case .yescrypt: 5...8
        }
    }

    /// The most bytes of a password that count; bcrypt would take no notice of the rest.
    var longestPassword: Int {
        switch self {
        case .bcrypt: 72
        case .yescrypt: 511
        }
    }
}
