import Crypto
import FoundationEssentials

/// A keyed hash of a password together with the hash in the file; compares in constant time.
struct PasswordCode: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Computes one.
    ///
    /// - Parameters:
    ///   - password: its UTF-8.
    ///   - hash: what it was or is to be checked against.
    ///   - key: a secret of this process, never stored.
    init(_ password: [UInt8], _ hash: PasswordHash, key: SymmetricKey) {
        var code = HMAC<SHA256>(key: key)
        // A hash has no zero byte, so that no two pairs are the same text.
        code.update(data: Array(hash.text.utf8) + [0])
        code.update(data: password)
        bytes = Array(code.finalize())
    }

    static func == (left: PasswordCode, right: PasswordCode) -> Bool {
        ConstantTime.areEqual(left.bytes, right.bytes)
    }
}
