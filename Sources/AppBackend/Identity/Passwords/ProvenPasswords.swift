import Crypto
import FoundationEssentials

/// The passwords that were right a short while ago, so that those of a device which fetches often
/// are not hashed each time.
///
/// What is kept is a keyed hash of the password and of the hash that it was checked against, so that
/// it no longer counts when the line in the file changes. Only right passwords are kept, each for
/// the address that it came from, so that an address at its limit learns nothing from others.
struct ProvenPasswords: Sendable {
    /// Whose and from where.
    struct Owner: Hashable, Sendable {
        let user: String
        let address: LimitedAddress
    }

    private struct Entry {
        let code: PasswordCode
        let end: ContinuousClock.Instant
    }

    /// How long a password counts without being hashed again.
    static let lifetime = Duration.seconds(300)

    private let limit: Int
    private var entries: [Owner: Entry] = [:]

    /// Makes an empty set.
    ///
    /// - Parameter limit: the most that are kept.
    init(limit: Int = 16_384) {
        self.limit = limit
    }

    /// How many are kept.
    var count: Int { entries.count }

    /// Whether there is one to compare with, right or not.
    func isKnown(_ owner: Owner, now: ContinuousClock.Instant) -> Bool {
        entries[owner].map { now < $0.end } ?? false
    }

    /// Whether this is the one that was right.
    func contains(
        _ code: PasswordCode, of owner: Owner, now: ContinuousClock.Instant
    ) -> Bool {
        guard let entry = entries[owner], now < entry.end else { return false }
        return entry.code == code
    }

    /// Keeps a password that was right; when there is no room, those that end first are forgotten.
    mutating func keep(_ code: PasswordCode, of owner: Owner, now: ContinuousClock.Instant) {
        entries.makeRoom(for: owner, limit: limit, now: now, end: \.end)
        entries[owner] = Entry(code: code, end: now + Self.lifetime)
    }
}

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
