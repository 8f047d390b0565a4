package import Files

package enum IdentityFault: Error, Hashable, Sendable, CustomStringConvertible {
    case file(FileRole, path: String, FileFault)
    /// The line is counted from 1.
    case passwordLine(path: String, line: Int, PasswordLineFault)
    case noPasswords(path: String)
    case tooManyPasswords(path: String)
    case tokenKey(path: String, TokenKeyFault)
    case tokenKeys(TokenKeysFault)
    case keySet(place: String, KeySetFault)
    case tls(TLSFault)
    /// The config names no way to sign in.
    case noWayIn

    package var description: String {
        switch self {
        case .file(let role, let path, let fault):
            "The \(role.noun) \(path) "
                + fault.text(
                    path: path,
                    making: role == .passwords ? "htpasswd -B -C 12 -c \(path) NAME" : nil)
        case .passwordLine(let path, let line, let fault):
            "The password file \(path), line \(line): \(fault)."
        case .noPasswords(let path):
            "The password file \(path) has no user, so that nobody could sign in. "
                + "Add one: htpasswd -B -C 12 \(path) NAME"
        case .tooManyPasswords(let path):
            "The password file \(path) has more than \(PasswordFile.mostUsers) users. "
                + "Give people tokens instead (backend.jwt)."
        case .tokenKey(let path, let fault):
            "The token key file \(path) \(fault)."
        case .tokenKeys(let fault):
            "The keys under backend.jwt cannot be used: \(fault)."
        case .keySet(let place, let fault):
            "The keys of tokens (backend.jwt.key_set) cannot be had from \(place): \(fault)."
        case .tls(let fault):
            "\(fault)."
        case .noWayIn:
            "Nobody could sign in: name a password file (backend.users, --users) "
                + "or the rules for tokens (backend.jwt)."
        }
    }
}
