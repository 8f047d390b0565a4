package import Files

package enum IdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    case file(FileRole, path: String, ProtectedFileError)
    /// Lines are numbered from 1.
    case passwordLine(path: String, line: Int, PasswordLineError)
    case noPasswords(path: String)
    case tooManyPasswords(path: String)
    case tokenKey(path: String, TokenKeyError)
    case tokenKeys(TokenKeysError)
    case keySet(place: String, KeySetError)
    case tls(ServerTLSError)
    /// The config does not allow anybody to sign in.
    case noWayIn

    package var description: String {
        switch self {
        case .file(let role, let path, let problem):
            "The \(role.noun) \(path) "
                + problem.text(
                    path: path,
                    making: role == .passwords ? "htpasswd -B -C 12 -c \(path) NAME" : nil)
        case .passwordLine(let path, let line, let problem):
            "The password file \(path), line \(line): \(problem)."
        case .noPasswords(let path):
            "The password file \(path) has no users, so nobody could sign in. "
                + "Add one: htpasswd -B -C 12 \(path) NAME"
        case .tooManyPasswords(let path):
            "The password file \(path) has more than \(PasswordFile.mostUsers) users. "
                + "Give people tokens instead (backend.jwt)."
        case .tokenKey(let path, let problem):
            "The token key file \(path) \(problem)."
        case .tokenKeys(let problem):
            "The keys under backend.jwt cannot be used: \(problem)."
        case .keySet(let place, let problem):
            "The token keys (backend.jwt.key_set) cannot be loaded from \(place): \(problem)."
        case .tls(let problem):
            "\(problem)."
        case .noWayIn:
            "Nobody could sign in: set a password file (backend.users, --users) "
                + "or rules for tokens (backend.jwt)."
        }
    }
}
