import Foundation

/// What shows the backend who somebody is.
///
/// Ask the keychain for it each time: then a token that was renewed is used at once.
public enum DeviceCredential: Hashable, Sendable {
    /// A name and a password (HTTP Basic, RFC 7617).
    case password(user: String, password: String)
    /// A token (HTTP Bearer, RFC 6750).
    case token(String)

    private static let longest = 16_384

    /// The value of the `Authorization` header.
    ///
    /// - Throws: ``BackendClientError/credentialUnusable`` for one that does not fit into a header.
    func authorization() throws(BackendClientError) -> String {
        switch self {
        case .password(let user, let password):
            // A colon would move the border between the two.
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
    /// Its kind, and nothing of it.
    public var description: String {
        switch self {
        case .password: "a name and a password (hidden)"
        case .token: "a token (hidden)"
        }
    }

    /// Its kind, and nothing of it.
    public var debugDescription: String { description }

    /// No children, so that `dump` shows no part either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
