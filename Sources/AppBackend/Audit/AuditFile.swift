import CampaignCore
import Files

/// The file that audit lines are appended to; opened again when it was moved away.
///
/// Permissions are checked at each opening, since another file may be in its place. Several
/// processes may append: the file is opened with `O_APPEND`, and each `write(2)` holds whole lines.
struct AuditFile {
    /// The byte that a process locks while it appends to the file or rewrites it.
    static let lockedByte: Int64 = 0
    /// Some file systems report a different file number each time.
    private static let mostOpenings = 100

    private let path: String
    private var file: OpenFile

    /// Opens the file, or creates it with mode 0600; does not follow links.
    init(path: String) throws(AuditError) {
        self.path = path
        file = try Self.open(path)
    }

    /// Appends lines; returns how many bytes were written, fewer than all when the disk is full.
    ///
    /// - Throws: ``AuditError`` when nothing was written.
    mutating func append(_ lines: [UInt8]) throws(AuditError) -> Int {
        var lock = hold()
        defer { lock?.release() }
        // The file may be rewritten while this waits for the lock, and again during the reopening.
        var openings = 0
        while wasMovedAway, openings < Self.mostOpenings {
            file = try Self.open(path)
            lock = hold()
            openings += 1
        }
        var written = 0
        while written < lines.count {
            do {
                written += try file.writeSome(lines[written...])
            } catch {
                if written > 0 { return written }
                throw Self.fault(path, "\(error)")
            }
        }
        return written
    }

    /// Keeps out processes that rewrite the file, which would lose new lines; nil without file
    /// locks.
    private func hold() -> FileLock? {
        do {
            return try FileLock.wait(for: Self.lockedByte, of: file)
        } catch {
            return nil
        }
    }

    private var wasMovedAway: Bool {
        do {
            let named = try FileStatus(of: path, followingLinks: false)
            return try file.status().identity != named.identity
        } catch {
            // The opening reports what is wrong.
            return true
        }
    }

    private static func open(_ path: String) throws(AuditError) -> OpenFile {
        let file: OpenFile
        let reach: FileReach
        do {
            file = try OpenFile(path, for: .appending, followingLinks: false)
            reach = try file.reach()
        } catch {
            throw fault(path, "\(error)")
        }
        switch FileProtection.secret.objection(to: reach) {
        case nil: return file
        case .notRegular: throw fault(path, "it is no regular file")
        case .some(let objection): throw AuditError(path: path, fault: .unprotected(objection))
        }
    }

    private static func fault(_ path: String, _ reason: String) -> AuditError {
        AuditError(path: path, fault: .unwritable(reason: reason))
    }
}

package struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Fault: Hashable, Sendable {
        case unwritable(reason: String)
        case unprotected(FileFault)
    }

    let path: String
    let fault: Fault

    package var description: String {
        switch fault {
        case .unwritable(let reason):
            """
            The audit file \(path) cannot be written: \(reason). Make room, check its folder and \
            the rights to it, or name another file with audit in the config's backend.
            """
        case .unprotected(let fault):
            "The audit file \(path) \(fault.text(path: ShellWord.quoted(path)))"
        }
    }
}
