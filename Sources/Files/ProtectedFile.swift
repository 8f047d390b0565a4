import Glibc

/// The one rule for files on which the safety of a run rests: who may own them, and who may do what with them.
///
/// A file belongs to the user that runs the program, or to root. Nobody else may get at a secret at all; nobody
/// else may change what is trusted. A group that has the owner's own number, by the custom of giving every user a
/// group, is nobody else where something is only trusted: a checkout under umask 002 is as good as one
/// under 022. Root trusts what any user owns, as in a container that a checkout was mounted into; secrets are excepted.
package enum FileProtection: Hashable, Sendable {
    /// A key, a password, or what holds one.
    case secret
    /// A config or certificate: others may read it.
    case trusted

    /// Applies the rule.
    ///
    /// - Parameters:
    ///   - status: the file's.
    ///   - user: who reads it.
    /// - Returns: what speaks against it; nil: nothing.
    package func objection(to status: FileStatus, user: UInt32 = geteuid()) -> FileFault? {
        guard status.kind == .regular else { return .notRegular }
        let isOurs = status.owner == user || status.owner == 0 || self == .trusted && user == 0
        guard isOurs else { return .ownedByAnother(SystemUser(status.owner)) }
        let isGroupPrivate = self == .trusted && status.group == status.owner
        let others: UInt32 = isGroupPrivate ? 0o007 : 0o077
        if self == .secret, status.mode & others & 0o055 != 0 { return .readableByOthers }
        return status.mode & others & 0o022 != 0 ? .writableByOthers : nil
    }
}

/// Reads files that the rule of ``FileProtection`` is for.
package enum ProtectedFile {
    /// Reads all of a file.
    ///
    /// - Parameters:
    ///   - protection: what others must not be able to do.
    ///   - limit: the longest that it may be, in bytes.
    ///   - followingLinks: whether the path may be a link; right for one that a person named, who may read it anyway.
    ///   - user: who reads it.
    package static func read(
        _ path: String, _ protection: FileProtection, limit: Int, followingLinks: Bool = true,
        user: UInt32 = geteuid()
    ) throws(FileFault) -> [UInt8] {
        do {
            let file = try OpenFile(path, for: .reading, followingLinks: followingLinks)
            if let objection = protection.objection(to: try file.status(), user: user) {
                throw objection
            }
            guard let bytes = try file.contents(limit: limit) else {
                throw FileFault.tooLong(limit: limit)
            }
            return bytes
        } catch let fault as FileFault {
            throw fault
        } catch let fault as SystemFault {
            throw switch fault.kind {
            case .special: .notRegular
            case .denied:
                SystemUser.denying(path).map(FileFault.ownedByAnother) ?? .unreadable(fault)
            default: .unreadable(fault)
            }
        } catch {
            throw .unreadable(SystemFault(number: EIO))
        }
    }
}

/// Why a file is refused before it is read.
package enum FileFault: Error, Hashable, Sendable {
    /// The system does not give it.
    case unreadable(SystemFault)
    case notRegular
    case ownedByAnother(SystemUser)
    case readableByOthers
    case writableByOthers
    case tooLong(limit: Int)

    /// What is wrong and what to do, to stand behind the file's name.
    ///
    /// A command at the end has no full stop, so that it can be copied.
    ///
    /// - Parameters:
    ///   - path: the file, as a shell takes it.
    ///   - command: makes such a file; nil: none does.
    /// - Returns: the rest of the sentence, and what to do.
    package func text(path: String, making command: String? = nil) -> String {
        switch self {
        case .unreadable(let fault):
            if let command, fault.kind == .missing {
                "cannot be read: \(fault). Make it: \(command)"
            } else {
                "cannot be read: \(fault). Check its path, and the rights to it and its folders."
            }
        case .notRegular:
            "is not a regular file. Name an ordinary file."
        case .ownedByAnother(let owner):
            """
            belongs to the user \(owner). Run hubsend as \(owner); or, if the file is yours, take it back: \
            chown \(geteuid()) \(path)
            """
        case .readableByOthers:
            "can be read by others. Run: chmod 600 \(path)"
        case .writableByOthers:
            "can be written by others. Run: chmod go-w \(path)"
        case .tooLong(let limit):
            "has more than \(limit) bytes; it cannot be what its setting asks for."
        }
    }
}
