import Files

/// A file named in the settings; other users must not be able to write it, or to read it if it is
/// secret.
struct IdentityFile: Hashable, Sendable {
    let role: FileRole
    /// Links are followed, because the person who named the file can read it anyway.
    let path: String

    /// Reads the file; throws if it is missing, unsafe, too long or not a regular file.
    func read() throws(IdentityError) -> [UInt8] {
        do {
            return try ProtectedFile.read(
                path, role.isSecret ? .secret : .trusted, limit: role.limit)
        } catch {
            throw .file(role, path: path, error)
        }
    }

    /// A value that changes with the file, even behind links; nil if the file's status cannot be
    /// read.
    var stamp: FileStatus? {
        do {
            return try FileStatus(of: path)
        } catch {
            // The error is reported when the file is read.
            return nil
        }
    }
}

/// The purpose of a file, which determines the required permissions and the maximum length.
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
        case .certificateKey: "certificate key file"
        }
    }

    /// Whether other users must not be able to read the file; they must never be able to write it.
    fileprivate var isSecret: Bool {
        switch self {
        case .passwords, .tokenSecret, .certificateKey: true
        case .tokenKey, .keySet, .certificate: false
        }
    }

    /// The maximum size in bytes.
    var limit: Int {
        switch self {
        case .passwords: 16 << 20
        case .certificate: 1 << 20
        case .keySet: KeySetDocument.limit
        case .tokenKey, .tokenSecret, .certificateKey: 64 << 10
        }
    }
}
