import CampaignCore
import FoundationEssentials

/// A name and a password as HTTP Basic carries them (RFC 7617), not yet believed.
struct BasicCredentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The longest base64 that is looked into, in bytes.
    static let longestEncoding = 1_024

    let user: Username
    /// UTF-8 without a zero byte; may be empty, may have colons.
    let password: [UInt8]

    /// Takes the text after `Basic ` apart.
    ///
    /// - Throws: ``CredentialsFault``.
    init(encoded text: Substring) throws(CredentialsFault) {
        guard text.utf8.count <= Self.longestEncoding else { throw .tooLong }
        guard text.utf8.count % 4 == 0, let bytes = Data(base64Encoded: String(text)) else {
            throw .notBase64
        }
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw .notText
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
        do throws(UsernameFault) {
            user = try Username(String(decoding: bytes[..<colon], as: UTF8.self))
        } catch {
            throw .noUsername
        }
        password = Array(bytes[bytes.index(after: colon)...])
    }

    /// Never the password.
    var description: String { "the credentials of \(user)" }

    var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}
