package import CampaignCore
import Crypto

/// Users and hashes from an htpasswd file: `name:hash` lines, empty lines, `#` comments.
///
/// A name ends at the first colon, as in HTTP Basic (RFC 7617, section 2). A user whose name has a
/// colon must sign in with a token.
struct PasswordFile: Sendable {
    static let longestLine = 1_024
    static let mostUsers = 100_000

    private let hashes: [String: PasswordHash]
    /// The hashes that decoys are chosen from.
    private let all: [PasswordHash]

    /// Parses the file; throws at the first invalid line, or if the file has no users.
    init(
        _ bytes: [UInt8], path: String, mostUsers: Int = Self.mostUsers
    ) throws(IdentityError) {
        var hashes: [String: PasswordHash] = [:]
        var lines: [String: Int] = [:]
        var all: [PasswordHash] = []
        var number = 0
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            do throws(PasswordLineError) {
                guard let (name, hash) = try Self.entry(in: line) else { continue }
                if let first = lines.updateValue(number, forKey: name) {
                    throw PasswordLineError.duplicate(firstLine: first)
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

    func hash(of user: Username) -> PasswordHash? { hashes[user.text] }

    /// The hash to check for an unknown name, so that the check takes as long as for a known name.
    ///
    /// An unknown name is always checked against the same existing user's hash, so the time reveals
    /// nothing, even if the file mixes methods and costs. A match does not sign anybody in. `key`
    /// is secret, so the choice cannot be predicted.
    func decoy(for user: Username, key: SymmetricKey) -> PasswordHash {
        let code = HMAC<SHA256>.authenticationCode(for: Array(user.text.utf8), using: key)
        let number = code.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return all[Int(number % UInt64(all.count))]
    }

    private static func entry(
        in line: ArraySlice<UInt8>
    ) throws(PasswordLineError) -> (name: String, hash: PasswordHash)? {
        guard line.count <= longestLine else { throw .tooLong }
        let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        let isBlank = bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        if isBlank || bytes.first == UInt8(ascii: "#") { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        guard let colon = text.firstIndex(of: ":") else { throw .noColon }
        let name = String(text[..<colon])
        do throws(UsernameError) {
            _ = try Username(name)
        } catch {
            throw .name(error)
        }
        return (name, try PasswordHash(text[text.index(after: colon)...]))
    }
}

/// A problem in a line of a password file; its description never quotes the line.
package enum PasswordLineError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case notText
    case noColon
    case name(UsernameError)
    case duplicate(firstLine: Int)
    case md5
    case sha
    /// `$2$` and `$2x$`, which come from old, buggy programs.
    case oldBcrypt
    /// Anything else, such as a DES hash, plain text or a locked password.
    case unknown
    /// The hash is truncated, or has parameters that no known program writes.
    case malformed(PasswordMethod)
    case tooCheap(PasswordMethod, Int)
    case tooCostly(PasswordMethod, Int)

    package var description: String {
        switch self {
        case .tooLong:
            "it has more than \(PasswordFile.longestLine) bytes, which is too long for name:hash"
        case .notText:
            "it is not UTF-8; write name:hash"
        case .noColon:
            "it has no colon; write name:hash, or start a comment with #"
        case .name(let problem):
            "the name \(problem)"
        case .duplicate(let line):
            "line \(line) already has this user; delete one of the two lines"
        case .md5:
            "the hash is MD5, which can be cracked within seconds. \(Self.advice)"
        case .sha:
            "the hash is SHA, which is too fast to protect a password. \(Self.advice)"
        case .oldBcrypt:
            "the hash comes from an old, flawed version of bcrypt. \(Self.advice)"
        case .unknown:
            "the text after the name is not a bcrypt ($2y$) or yescrypt ($y$) hash; "
                + "plain text and DES are refused. \(Self.advice)"
        case .malformed(let method):
            "the \(method) hash is truncated or malformed. \(Self.advice)"
        case .tooCheap(let method, let cost):
            "the \(method) hash has cost \(cost); a cost below \(method.costs.lowerBound) makes "
                + "cracking too quick. \(Self.advice)"
        case .tooCostly(let method, let cost):
            "the \(method) hash has cost \(cost); a cost above \(method.costs.upperBound) would "
                + "stall the server. \(Self.advice)"
        }
    }

    private static let advice =
        "Create a new hash with `htpasswd -B -C 12` or `mkpasswd -m yescrypt`"
}
