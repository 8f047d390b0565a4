import Foundation

/// A user's credential for the backend.
///
/// Read it from the keychain each time, so that a renewed token is used immediately.
public enum DeviceCredential: Hashable, Sendable {
    /// A name and a password (HTTP Basic, RFC 7617).
    case password(user: String, password: String)
    /// A token (HTTP Bearer, RFC 6750).
    case token(String)

    private static let longest = 16_384

    /// Returns the value of the `Authorization` header; throws an error if the credential cannot be
    /// sent in a header.
    func authorization() throws(BackendClientError) -> String {
        switch self {
        case .password(let user, let password):
            // A colon in the name would move the boundary between the name and the password.
            guard !user.isEmpty, !user.contains(":"), user.utf8.count <= Self.longest,
                password.utf8.count <= Self.longest
            else { throw .credentialUnusable }
            return "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .token(let token):
            guard !token.isEmpty, token.utf8.count <= Self.longest,
                token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw .credentialUnusable }
            return "Bearer " + token
        }
    }
}

extension DeviceCredential: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The kind of credential, without its content.
    public var description: String {
        switch self {
        case .password: "a name and a password (hidden)"
        case .token: "a token (hidden)"
        }
    }

    /// The kind of credential, without its content.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
