import Glibc

/// The rules for files on which the safety of a run depends: who may own the files, and what other
/// users may do with them.
package enum FileProtection: Hashable, Sendable {
    /// A key or password, which only its user and root may access.
    case secret
    /// A config or certificate, which others may read but not write.
    ///
    /// A group with its owner's number is not regarded as others, because many systems give every
    /// user a group, so that a checkout under umask 002 is as safe as one under 022. Root trusts
    /// files of any user, for example in a container with a mounted checkout.
    case trusted
    /// A store, which only its user may own; others may read it but not write it.
    case store

    /// The reason why a file is refused; nil if it is accepted.
    package func objection(to reach: FileReach) -> ProtectedFileError? {
        let (status, user) = (reach.status, reach.user)
        guard status.kind == .regular else { return .notRegular }
        let isVouchedFor =
            reach.mount == .readOnlyInContainer && (self == .trusted || reach.isPlatformSecret)
        if isVouchedFor { return nil }
        let remedy: ProtectedFileError.Remedy =
            reach.mount != .writable
            ? .mount : [status.owner, 0].contains(user) ? .mode : .owner
        let isOurs =
            status.owner == user || status.owner == 0 && self != .store
            || self == .trusted && user == 0
        guard isOurs else { return .ownedByAnother(SystemUser(status.owner), remedy) }
        let others = reach.others(except: self == .trusted ? status.owner : nil)
        if self == .secret, !reach.isPlatformSecret, others & 5 != 0 {
            return .readableByOthers(remedy)
        }
        return others & 2 != 0 ? .writableByOthers(remedy) : nil
    }
}

/// Reads files under the rules of ``FileProtection``.
package enum ProtectedFile {
    /// Reads a whole file of at most `limit` bytes.
    ///
    /// Links may be followed if a person named the path, because that person can read the file
    /// anyway.
    package static func read(
        _ path: String, _ protection: FileProtection, limit: Int, followingLinks: Bool = true,
        user: UInt32 = geteuid()
    ) throws(ProtectedFileError) -> [UInt8] {
        do {
            let file = try OpenFile(path, for: .reading, followingLinks: followingLinks)
            if let objection = protection.objection(to: try file.reach(user: user)) {
                throw objection
            }
            guard let bytes = try file.contents(limit: limit) else {
                throw ProtectedFileError.tooLong(limit: limit)
            }
            return bytes
        } catch let error as ProtectedFileError {
            throw error
        } catch let error as SystemError {
            throw switch error.kind {
            case .special: .notRegular
            case .denied:
                SystemUser.denying(path).map { .ownedByAnother($0, .owner) } ?? .unreadable(error)
            default: .unreadable(error)
            }
        } catch {
            throw .unreadable(SystemError(number: EIO))
        }
    }
}

/// Why a file is refused before it is read.
package enum ProtectedFileError: Error, Hashable, Sendable {
    /// The user who can correct a file's permissions.
    package enum Remedy: Hashable, Sendable {
        /// This user can correct the permissions.
        case mode
        /// The file's owner or root can correct the permissions.
        case owner
        /// Nobody can correct the permissions here, because the file is on a read-only mount.
        case mount
    }

    /// The system refuses access.
    case unreadable(SystemError)
    case notRegular
    case ownedByAnother(SystemUser, Remedy)
    case readableByOthers(Remedy)
    case writableByOthers(Remedy)
    case tooLong(limit: Int)

    /// The problem, as the end of a sentence that begins with the file's name, without a full stop.
    package var problem: String {
        switch self {
        case .unreadable(let error): "cannot be read: \(error)"
        case .notRegular: "is not a regular file"
        case .ownedByAnother(let owner, _):
            "belongs to the user \(owner.word), not to you (\(SystemUser.current.word))"
                + (SystemUser.current.number == 0 ? "" : " or root")
        case .readableByOthers(let remedy): "\(place(remedy))can be read by others"
        case .writableByOthers(let remedy): "\(place(remedy))can be written by others"
        case .tooLong(let limit): "has more than \(limit) bytes"
        }
    }

    private func place(_ remedy: Remedy) -> String {
        switch remedy {
        case .mode: ""
        case .owner: "belongs to root and "
        case .mount: "is on a read-only mount and "
        }
    }

    /// What to do about the problem; it may end with a command that lacks only the file's path.
    package var advice: (text: String, command: String?) {
        switch self {
        case .unreadable: ("Check the path and the permissions of the file and its folders.", nil)
        case .notRegular: ("Use a regular file.", nil)
        case .ownedByAnother(_, .mount), .readableByOthers(.mount):
            (
                "In a container, mount it below /run/secrets; elsewhere, copy it into a file that only you can read.",
                nil
            )
        case .ownedByAnother(let owner, _):
            (
                "Run hubsend as \(owner.word) or, if the file is yours, change its owner with chown.",
                nil
            )
        case .readableByOthers(.owner):
            ("Ask root to change its owner to you and its mode to 600.", nil)
        case .readableByOthers(.mode): ("Run:", "chmod 600")
        case .writableByOthers(.mount): ("On the system where it is writable, run:", "chmod go-w")
        case .writableByOthers(.owner): ("As root, run:", "chmod go-w")
        case .writableByOthers(.mode): ("Run:", "chmod go-w")
        case .tooLong: ("It is probably the wrong file.", nil)
        }
    }

    /// The problem and its remedy, for a sentence that begins with the file's name.
    ///
    /// A command at the end has no full stop, so that it can be copied. `command` creates a missing
    /// file; it is nil if there is no such command. `path` is quoted for a shell.
    package func text(path: String, making command: String? = nil) -> String {
        if case .unreadable(let error) = self, let command, error.kind == .missing {
            return "\(problem). Create it: \(command)"
        }
        return "\(problem). \(remedy(path))"
    }

    /// - Parameter path: quoted for a shell.
    package func remedy(_ path: String) -> String {
        let advice = advice
        return advice.text + (advice.command.map { " \($0) \(path)" } ?? "")
    }
}
