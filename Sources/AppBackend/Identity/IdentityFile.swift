import Files

/// A file that a setting names; others must not be able to change it, nor to read it when it is secret.
struct IdentityFile: Hashable, Sendable {
    let role: FileRole
    /// Links are followed, since the person who named it may read it.
    let path: String

    /// Reads all of it.
    ///
    /// - Throws: ``IdentityFault/file(_:path:_:)`` when it is missing, unsafe, too long or no
    ///   regular file.
    func read() throws(IdentityFault) -> [UInt8] {
        do {
            return try ProtectedFile.read(
                path, role.isSecret ? .secret : .trusted, limit: role.limit)
        } catch {
            throw .file(role, path: path, error)
        }
    }

    /// Changes when the file does, links followed; nil: the file cannot be looked at.
    var stamp: FileStatus? {
        do {
            return try FileStatus(of: path)
        } catch {
            // Reading it says why.
            return nil
        }
    }
}

/// What a file is for; with that, who may read and write it, and how long it may be.
package enum FileRole: Hashable, Sendable {
    case passwords
    /// A public key that tokens are checked with.
    case tokenKey
    /// A secret that tokens are signed and checked with.
    case tokenSecret
    /// A set of public keys.
    case keySet
    case certificate
    case certificateKey

    /// What sentences call it.
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

    /// Whether others must not read it; nobody else may write any of them.
    fileprivate var isSecret: Bool {
        switch self {
        case .passwords, .tokenSecret, .certificateKey: true
        case .tokenKey, .keySet, .certificate: false
        }
    }

    /// The longest that it may be, in bytes.
    var limit: Int {
        switch self {
        case .passwords: 16 << 20
        case .certificate: 1 << 20
        case .keySet: KeySetDocument.limit
        case .tokenKey, .tokenSecret, .certificateKey: 64 << 10
        }
    }
}
