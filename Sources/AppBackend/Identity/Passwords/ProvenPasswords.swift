import Crypto
import FoundationEssentials

/// Recently proven passwords, which need not be hashed again when a device fetches often.
///
/// An entry is a keyed hash of the password and of its hash in the file, so it becomes invalid when
/// the user's line changes. Entries are per address, so an address at its limit learns nothing from
/// other addresses.
struct ProvenPasswords: Sendable {
    struct Owner: Hashable, Sendable {
        let user: String
        let address: LimitedAddress
    }

    /// How long a password stays proven.
    static let lifetime = Duration.seconds(300)

    private var codes: RecentValues<Owner, PasswordCode>

    init(limit: Int = 16_384) {
        codes = RecentValues(lifetime: Self.lifetime, limit: limit)
    }

    var count: Int { codes.count }

    /// Whether there is a proven password to compare with.
    func isKnown(_ owner: Owner, now: ContinuousClock.Instant) -> Bool {
        codes.value(of: owner, now: now) != nil
    }

    func contains(
        _ code: PasswordCode, of owner: Owner, now: ContinuousClock.Instant
    ) -> Bool {
        codes.value(of: owner, now: now) == code
    }

    mutating func keep(_ code: PasswordCode, of owner: Owner, now: ContinuousClock.Instant) {
        codes.keep(code, of: owner, now: now)
    }
}

/// A keyed hash of a password and its hash in the file; compared in constant time.
struct PasswordCode: Hashable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter key: a secret of this process that is never stored.
    init(_ password: [UInt8], _ hash: PasswordHash, key: SymmetricKey) {
        var code = HMAC<SHA256>(key: key)
        // A hash contains no zero byte, so no two pairs produce the same bytes.
        code.update(data: Array(hash.text.utf8) + [0])
        code.update(data: password)
        bytes = Array(code.finalize())
    }

    static func == (left: PasswordCode, right: PasswordCode) -> Bool {
        ConstantTime.areEqual(left.bytes, right.bytes)
    }
}
