import Glibc

/// The rule for files on which the safety of a run rests: who may own them, and what others may do.
package enum FileProtection: Hashable, Sendable {
    /// A key or a password: only its user and root reach it.
    case secret
    /// A config or certificate: others may read it, not write it.
    ///
    /// A group that has its owner's number is no other, since many systems give every user a group:
    /// a checkout under umask 002 is as good as one under 022. Root trusts what any user owns, as
    /// in a container that a checkout was mounted into.
    case trusted
    /// A store: only its user owns it; others may have read it, not written it.
    case store

    /// What speaks against a file; nil: nothing.
    package func objection(to reach: FileReach) -> FileFault? {
        let (status, user) = (reach.status, reach.user)
        guard status.kind == .regular else { return .notRegular }
        let isVouchedFor =
            reach.mount == .readOnlyInContainer && (self == .trusted || reach.isPlatformSecret)
        if isVouchedFor { return nil }
        let remedy: FileFault.Remedy =
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

/// Reads files that ``FileProtection`` is for.
package enum ProtectedFile {
    /// Reads all of a file of at most `limit` bytes.
    ///
    /// Links are right for a path that a person named, who may read it anyway.
    package static func read(
        _ path: String, _ protection: FileProtection, limit: Int, followingLinks: Bool = true,
        user: UInt32 = geteuid()
    ) throws(FileFault) -> [UInt8] {
        do {
            let file = try OpenFile(path, for: .reading, followingLinks: followingLinks)
            if let objection = protection.objection(to: try file.reach(user: user)) {
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
                SystemUser.denying(path).map { .ownedByAnother($0, .owner) } ?? .unreadable(fault)
            default: .unreadable(fault)
            }
        } catch {
            throw .unreadable(SystemFault(number: EIO))
        }
    }
}

/// Why a file is refused before it is read.
package enum FileFault: Error, Hashable, Sendable {
    /// Where a file's permissions can be corrected.
    package enum Remedy: Hashable, Sendable {
        /// This user.
        case mode
        /// The file's owner, or root.
        case owner
        /// Nobody here: the file is on a read-only mount.
        case mount
    }

    /// The system refuses it.
    case unreadable(SystemFault)
    case notRegular
    case ownedByAnother(SystemUser, Remedy)
    case readableByOthers(Remedy)
    case writableByOthers(Remedy)
    case tooLong(limit: Int)

    /// The problem as the rest of a sentence that begins with the file's name, without a full stop.
    package var problem: String {
        switch self {
        case .unreadable(let fault): "cannot be read: \(fault)"
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

    /// What to do; it ends with a command that lacks only the file's path, if there is one.
    package var advice: (text: String, command: String?) {
        switch self {
        case .unreadable: ("Check its path, and the rights to it and its folders.", nil)
        case .notRegular: ("Name an ordinary file.", nil)
        case .ownedByAnother(_, .mount), .readableByOthers(.mount):
            (
                "In a container, mount it below /run/secrets; elsewhere, copy it into a file that only you can read.",
                nil
            )
        case .ownedByAnother(let owner, _):
            (
                "Run hubsend as \(owner.word); or, if the file is yours, take it over with chown.",
                nil
            )
        case .readableByOthers(.owner): ("Have root give it to you, with mode 600.", nil)
        case .readableByOthers(.mode): ("Run:", "chmod 600")
        case .writableByOthers(.mount): ("Where it is not read-only, run:", "chmod go-w")
        case .writableByOthers(.owner): ("Have root run:", "chmod go-w")
        case .writableByOthers(.mode): ("Run:", "chmod go-w")
        case .tooLong: ("It cannot be what its setting asks for.", nil)
        }
    }

    /// The problem and its remedy, for a sentence that begins with the file's name.
    ///
    /// A command at the end has no full stop, so that it can be copied; without `command`, none
    /// makes such a file. `path` is written for a shell.
    package func text(path: String, making command: String? = nil) -> String {
        if case .unreadable(let fault) = self, let command, fault.kind == .missing {
            return "\(problem). Make it: \(command)"
        }
        return "\(problem). \(remedy(path))"
    }

    /// - Parameter path: as a shell takes it.
    package func remedy(_ path: String) -> String {
        let advice = advice
        return advice.text + (advice.command.map { " \($0) \(path)" } ?? "")
    }
}
