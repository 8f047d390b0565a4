package import CampaignCore
import Crypto

/// The users and hashes of a password file in htpasswd form: `name:hash` lines, empty ones, and
/// comments after `#`.
///
/// A name ends at the first colon, as in HTTP Basic (RFC 7617, section 2); a user with a colon in
/// the name has to sign in by token.
struct PasswordFile: Sendable {
    static let longestLine = 1_024
    static let mostUsers = 100_000

    private let hashes: [String: PasswordHash]
    /// All hashes, from which a decoy is chosen.
    private let all: [PasswordHash]

    /// Reads the content of a file.
    ///
    /// - Parameters:
    ///   - bytes: the content.
    ///   - path: where it lies, for a fault.
    ///   - mostUsers: how many it may have.
    /// - Throws: ``IdentityFault`` when there is no user, or with the first line that is wrong.
    init(
        _ bytes: [UInt8], path: String, mostUsers: Int = Self.mostUsers
    ) throws(IdentityFault) {
        var hashes: [String: PasswordHash] = [:]
        var lines: [String: Int] = [:]
        var all: [PasswordHash] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            do throws(PasswordLineFault) {
                guard let (name, hash) = try Self.entry(in: line) else { continue }
                if let first = lines.updateValue(number, forKey: name) {
                    throw PasswordLineFault.duplicate(firstLine: first)
                }
                hashes[name] = hash
                all.append(hash)
            } catch {
                throw .passwordLine(path: path, line: number, error)
            }
            guard all.count <= mostUsers else { throw .tooManyPasswords(path: path) }
        }
        guard !all.isEmpty else { throw .noPasswords(path: path) }
        self.hashes = hashes
        self.all = all
    }

    /// The hash of a user; nil when the file has no such user.
    func hash(of user: Username) -> PasswordHash? { hashes[user.text] }

    /// A hash to check for a name that is not in the file, so that the check takes as long as for a
    /// name that is.
    ///
    /// It is another user's, always the same one for a name, so that the time tells nothing in a file
    /// of mixed kinds and costs either.
    ///
    /// - Parameters:
    ///   - user: a name that has no line.
    ///   - key: a secret, so that nobody can tell which one it will be.
    /// - Returns: the hash; that it matches proves nothing.
    func decoy(for user: Username, key: SymmetricKey) -> PasswordHash {
        let code = HMAC<SHA256>.authenticationCode(for: Array(user.text.utf8), using: key)
        let number = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return all[Int(number % UInt64(all.count))]
    }

    private static func entry(
        in line: ArraySlice<UInt8>
    ) throws(PasswordLineFault) -> (name: String, hash: PasswordHash)? {
        guard line.count <= longestLine else { throw .tooLong }
        let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let isBlank = bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if isBlank || bytes.first == UInt8(ascii: "#") { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        guard let colon = text.firstIndex(of: ":") else { throw .noColon }
        let name = String(text[..<colon])
        do throws(UsernameFault) {
            _ = try Username(name)
        } catch {
            throw .name(error)
        }
        return (name, try PasswordHash(text[text.index(after: colon)...]))
    }
}

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
    /// An unknown kind of hash, such as DES, plain text, or a locked password.
    case unknown
    /// Cut short, or with parameters that no program writes.
    case malformed(PasswordMethod)
    case tooCheap(PasswordMethod, Int)
    case tooCostly(PasswordMethod, Int)

    package var description: String {
        switch self {
        case .tooLong:
            "it has more than \(PasswordFile.longestLine) bytes, too many for name:hash"
        case .notText:
            "it is not UTF-8; write name:hash"
        case .noColon:
            "it has no colon; write name:hash, or # before a comment"
        case .name(let fault):
            "the name \(fault)"
        case .duplicate(let line):
            "line \(line) has the same user already; delete one of them"
        case .md5:
            "the hash is MD5, which is cracked in no time. \(Self.advice)"
        case .sha:
            "the hash is SHA, which is too fast to protect a password. \(Self.advice)"
        case .oldBcrypt:
            "the hash is of an old, faulty version of bcrypt. \(Self.advice)"
        case .unknown:
            "what follows the name is not a bcrypt ($2y$) or yescrypt ($y$) hash; "
                + "plain text and DES are refused. \(Self.advice)"
        case .malformed(let method):
            "the \(method) hash is cut short or malformed. \(Self.advice)"
        case .tooCheap(let method, let cost):
            "the \(method) hash has the cost \(cost); below \(method.costs.lowerBound) it is too "
                + "quick to crack. \(Self.advice)"
        case .tooCostly(let method, let cost):
            "the \(method) hash has the cost \(cost); above \(method.costs.upperBound) it would "
                + "stall the server. \(Self.advice)"
        }
    }

    private static let advice =
        "Make a new one with `htpasswd -B -C 12` or `mkpasswd -m yescrypt`"
}
