import CampaignCore
import Files

/// The file that audit lines are appended to, opened anew when it was moved away.
///
/// It must be closed to others each time it is opened, since somebody may have put another in its
/// place.
///
/// Several processes may append to it: each `write(2)` holds whole lines, and the file was opened
/// with `O_APPEND`.
struct AuditFile {
    /// The byte of the file that is locked by who appends, and by who writes it anew.
    static let lockedByte: Int64 = 0
    /// On some file systems a file has another number each time it is asked for.
    private static let mostOpenings = 100

    private let path: String
    private var file: OpenFile

    /// Opens a file, or makes it with mode 0600; links are not followed.
    init(path: String) throws(AuditError) {
        self.path = path
        file = try Self.open(path)
    }

    /// Appends lines.
    ///
    /// - Returns: how many of the bytes are in the file; fewer than all when the disk ran full in
    ///   between.
    /// - Throws: ``AuditError`` when none are.
    mutating func append(_ lines: [UInt8]) throws(AuditError) -> Int {
        var lock = hold()
        defer { lock?.release() }
        // While it waited, the file may have been written anew, and once more while it opened the new one.
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

    /// Waits for who writes the file anew, so that no line goes into the old one behind what was taken over.
    ///
    /// - Returns: nil on a file system without locks, where nobody writes it anew.
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
            // Opening it anew says what is wrong.
            return true
        }
    }

    private static func open(_ path: String) throws(AuditError) -> OpenFile {
        let file: OpenFile
        let status: FileStatus
        do {
            file = try OpenFile(path, for: .appending, followingLinks: false)
            status = try file.status()
        } catch {
            throw fault(path, "\(error)")
        }
        switch FileProtection.secret.objection(to: status) {
        case nil: return file
        case .notRegular: throw fault(path, "it is no regular file")
        case .some(let objection): throw AuditError(path: path, fault: .unprotected(objection))
        }
    }

    private static func fault(_ path: String, _ reason: String) -> AuditError {
        AuditError(path: path, fault: .unwritable(reason: reason))
    }
}

/// Why audit lines cannot be written.
package struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Fault: Hashable, Sendable {
        /// The system, or what the place is, prevents it; a few words.
        case unwritable(reason: String)
        /// Others can read or write it.
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
