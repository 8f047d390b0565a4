import CampaignCore
import FoundationEssentials

/// A parsed but unchecked `Authorization` field (RFC 9110, section 11.6.2).
enum AuthorizationField: Equatable, Sendable {
    /// The credentials in base64.
    case basic(Substring)
    /// The bytes of the token (RFC 6750, section 2.1).
    case bearer(ArraySlice<UInt8>)
    case other

    /// Parses a scheme, one or more spaces, and credentials without spaces.
    init(_ text: String) throws(CredentialsError) {
        let space = UInt8(ascii: " ")
        let bytes = Array(text.utf8)
        let end = bytes.firstIndex(of: space) ?? bytes.endIndex
        guard end > 0 else { throw .malformed }
        let scheme = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
        guard scheme == "basic" || scheme == "bearer" else {
            self = .other
            return
        }
        let credentials = bytes[end...].drop { $0 == space }
        guard !credentials.isEmpty, credentials.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw .malformed
        }
        self =
            scheme == "basic"
            ? .basic(Substring(decoding: credentials, as: UTF8.self)) : .bearer(credentials)
    }
}

/// The name and password of HTTP Basic (RFC 7617), not yet verified.
struct BasicCredentials: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The maximum size in bytes.
    private static let longestEncoding = 1_024

    let user: Username
    /// The password, in UTF-8 without a zero byte; it may be empty or contain colons.
    let password: [UInt8]

    init(encoded text: Substring) throws(CredentialsError) {
        guard text.utf8.count <= Self.longestEncoding else { throw .tooLong }
        guard text.utf8.count % 4 == 0, let bytes = Data(base64Encoded: String(text)) else {
            throw .notBase64
        }
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else {
            throw .notText
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
        do throws(UsernameError) {
            user = try Username(String(decoding: bytes[..<colon], as: UTF8.self))
        } catch {
            throw .noUsername
        }
        password = Array(bytes[bytes.index(after: colon)...])
    }

    var description: String { "the credentials of \(user)" }

    var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// Why an `Authorization` field cannot be checked, for the audit.
enum CredentialsError: String, Error, Hashable, Sendable {
    case tooLong = "the credentials are too long"
    case malformed = "the Authorization field is malformed"
    case notBase64 = "the credentials are not base64"
    case notText = "the name and password are not UTF-8 or contain a zero byte"
    case noColon = "the credentials have no colon"
    case noUsername = "the name in the credentials is not a valid username"
}
