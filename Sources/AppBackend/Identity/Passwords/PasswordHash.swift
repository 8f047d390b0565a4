import CCrypt
import Files
import Glibc

/// A bcrypt or yescrypt hash with an acceptable cost: hard to crack, but not so slow that it stalls
/// the server.
struct PasswordHash: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The whole hash with its salt; `crypt` accepts it as a setting.
    let text: String
    let method: PasswordMethod

    /// Throws if the hash has another type, is truncated, or has a cost out of range.
    init(_ text: Substring) throws(PasswordLineError) {
        let method: PasswordMethod
        let cost: Int
        switch Self.prefix(of: text) {
        case "$2a$", "$2b$", "$2y$":
            method = .bcrypt
            cost = try Self.costOfBcrypt(text)
        case "$y$":
            method = .yescrypt
            cost = try Self.costOfYescrypt(text)
        case "$apr1$", "$1$", "{MD5}", "{SMD5}":
            throw .md5
        case "{SHA}", "{SSHA}", "$5$", "$6$", "$sha1$":
            throw .sha
        case "$2$", "$2x$":
            throw .oldBcrypt
        default:
            throw .unknown
        }
        guard cost >= method.costs.lowerBound else { throw .tooCheap(method, cost) }
        guard cost <= method.costs.upperBound else { throw .tooCostly(method, cost) }
        self.text = String(text)
        self.method = method
    }

    var description: String { "a hash of \(method)" }

    var customMirror: Mirror { Mirror(self, children: ["method": method]) }

    /// `$id$` or `{id}`; empty if the text has neither.
    private static func prefix(of text: Substring) -> Substring {
        let end: Character = text.first == "{" ? "}" : "$"
        guard text.first == "$" || text.first == "{",
            let close = text.dropFirst().prefix(8).firstIndex(of: end)
        else { return "" }
        return text[...close]
    }

    /// Reads the cost from `$2b$12$` and 53 characters of salt and hash.
    private static func costOfBcrypt(_ text: Substring) throws(PasswordLineError) -> Int {
        let bytes = Array(text.utf8)
        guard bytes.count == 60, bytes[6] == UInt8(ascii: "$"), bytes[7...].allSatisfy(isDigit),
            let tens = decimal(bytes[4]), let ones = decimal(bytes[5])
        else { throw .malformed(.bcrypt) }
        return tens * 10 + ones
    }

    /// Reads the cost from `$y$j9T$`, a salt, `$` and 43 characters of hash.
    ///
    /// Accepts only the parameters that `crypt_gensalt` writes: `j`, a digit for the number of
    /// blocks and a digit for their size (libxcrypt, crypt-yescrypt.c). Other parameters could
    /// demand any amount of memory.
    private static func costOfYescrypt(_ text: Substring) throws(PasswordLineError) -> Int {
        let parts = text.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
            .map(Array.init)
        guard parts.count == 5, parts[2].count == 3, parts[2][0] == UInt8(ascii: "j"),
            let blocks = digit(parts[2][1]), let size = digit(parts[2][2]),
            1...86 ~= parts[3].count, parts[3].count % 4 != 1, parts[3].allSatisfy(isDigit),
            parts[4].count == 43, parts[4].allSatisfy(isDigit)
        else { throw .malformed(.yescrypt) }
        // Blocks have 1 KiB at costs 1 and 2, and 4 KiB from cost 3 on; the smallest digit means 1.
        switch (size + 1, blocks + 1) {
        case (8, 10), (8, 11): return blocks + 1 - 9
        case (32, 10...18): return blocks + 1 - 7
        default: throw .malformed(.yescrypt)
        }
    }

    private static func decimal(_ byte: UInt8) -> Int? {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int(byte - UInt8(ascii: "0")) : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { digit(byte) != nil }

    /// The value of a digit in crypt's base 64, `./0-9A-Za-z`.
    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "."): 0
        case UInt8(ascii: "/"): 1
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 2
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A")) + 12
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 38
        default: nil
        }
    }
}

package enum PasswordMethod: Hashable, Sendable {
    case bcrypt
    case yescrypt

    /// The accepted costs; each step doubles the time.
    ///
    /// Checking bcrypt at cost 14 takes about a second on one core. The yescrypt costs are those of
    /// `crypt_gensalt` (crypt(5)): the default of 5 needs 16 MiB, and 8 needs 128 MiB.
    var costs: ClosedRange<Int> {
        switch self {
        case .bcrypt: 10...14
        case .yescrypt: 5...8
        }
    }

    /// The maximum size in bytes; bcrypt would ignore any excess.
    var longestPassword: Int {
        switch self {
        case .bcrypt: 72
        case .yescrypt: 511
        }
    }
}

/// The system's password hashing (libxcrypt), which is slow.
enum PasswordHashing {
    struct Failure: Error, Hashable {
        let reason: String
    }

    /// Whether a password matches a hash; throws if memory is exhausted or the system does not
    /// support the method.
    ///
    /// - Parameter password: UTF-8 without a zero byte, no longer than
    ///   ``PasswordMethod/longestPassword``.
    static func matches(_ password: [UInt8], _ hash: PasswordHash) throws(Failure) -> Bool {
        let phrase = password.map(CChar.init(bitPattern:)) + [0]
        let size = MemoryLayout<crypt_data>.size
        var computed: [UInt8]?
        unsafe withUnsafeTemporaryAllocation(
            byteCount: size, alignment: MemoryLayout<crypt_data>.alignment
        ) { scratch in
            unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0)
            errno = 0
            if let text = unsafe crypt_rn(phrase, hash.text, scratch.baseAddress, Int32(size)) {
                computed = Array(unsafe String(cString: text).utf8)
            }
            let number = errno
            // The memory is cleared, so that the password does not remain in it.
            if let start = scratch.baseAddress { unsafe explicit_bzero(start, size) }
            errno = number
        }
        guard let computed else { throw Failure(reason: "\(SystemError.last)") }
        return ConstantTime.areEqual(computed, Array(hash.text.utf8))
    }
}

enum ConstantTime {
    /// The time taken reveals only whether the lengths are equal.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        var difference: UInt8 = 0
        for (left, right) in zip(left, right) { difference |= left ^ right }
        return difference == 0
    }
}
