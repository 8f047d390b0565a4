import Files

/// A file that a setting names; others must not write it, nor read it if it is secret.
struct IdentityFile: Hashable, Sendable {
    let role: FileRole
    /// Follows links, since the person who named it may read it.
    let path: String

    /// Reads the file; throws when it is missing, unsafe, too long or not a regular file.
    func read() throws(IdentityFault) -> [UInt8] {
        do {
            return try ProtectedFile.read(
                path, role.isSecret ? .secret : .trusted, limit: role.limit)
        } catch {
            throw .file(role, path: path, error)
        }
    }

    /// Changes when the file does, links followed; nil when the status cannot be read.
    var stamp: FileStatus? {
        do {
            return try FileStatus(of: path)
        } catch {
            // Reading reports the reason.
            return nil
        }
    }
}

/// What a file is for, which decides its permissions and its length.
package enum FileRole: Hashable, Sendable {
    case passwords
    case tokenKey
    case tokenSecret
    case keySet
    case certificate
    case certificateKey

    var noun: String {
        switch self {
        case .passwords: "password file"
        case .tokenKey: "token key file"
        case .tokenSecret: "token secret file"
        case .keySet: "key set file"
        case .certificate: "certificate file"
        case .certificateKey: "certificate's key file"
        }
    }

    /// Whether others must not read it; others must not write any of them.
    fileprivate var isSecret: Bool {
        switch self {
        case .passwords, .tokenSecret, .certificateKey: true
        case .tokenKey, .keySet, .certificate: false
        }
    }

    /// In bytes.
    var limit: Int {
        switch self {
        case .passwords: 16 << 20
        case .certificate: 1 << 20
        case .keySet: KeySetDocument.limit
        case .tokenKey, .tokenSecret, .certificateKey: 64 << 10
        }
    }
}
