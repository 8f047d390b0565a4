import CampaignCore
import Files

/// The file that audit lines are appended to; it is reopened if it has been moved.
///
/// Permissions are checked each time, because another file may have taken its place. Several
/// processes may append: the file is opened with `O_APPEND`, and each `write(2)` contains whole
/// lines.
struct AuditFile {
    /// The byte that a process locks while it appends to the file or rewrites it.
    static let lockedByte: Int64 = 0
    /// Prevents an endless loop on file systems that report a different inode number each time.
    private static let mostOpenings = 100

    private let path: String
    private var file: OpenFile

    /// Opens the file without following links, or creates it with mode 0600.
    init(path: String) throws(AuditError) {
        self.path = path
        file = try Self.open(path)
    }

    /// Appends lines and returns the number of bytes written, which is smaller if the disk is full.
    ///
    /// - Throws: ``AuditError`` if nothing was written.
    mutating func append(_ lines: [UInt8]) throws(AuditError) -> Int {
        var lock = takeLock()
        defer { lock?.release() }
        // The file may be rewritten while this waits for the lock, and once more while it is
        // reopened.
        var openings = 0
        while wasMovedAway, openings < Self.mostOpenings {
            file = try Self.open(path)
            lock = takeLock()
            openings += 1
        }
        var written = 0
        while written < lines.count {
            do {
                written += try file.writeSome(lines[written...])
            } catch {
                if written > 0 { return written }
                throw Self.problem(path, "\(error)")
            }
        }
        return written
    }

    /// Blocks processes that rewrite the file, because they would lose new lines; nil if the file
    /// system does not support locks.
    private func takeLock() -> FileLock? {
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
            // The error is reported when the file is opened.
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
            throw problem(path, "\(error)")
        }
        switch FileProtection.secret.objection(to: reach) {
        case nil: return file
        case .notRegular: throw problem(path, "it is not a regular file")
        case .some(let objection): throw AuditError(path: path, problem: .unprotected(objection))
        }
    }

    private static func problem(_ path: String, _ reason: String) -> AuditError {
        AuditError(path: path, problem: .unwritable(reason: reason))
    }
}

package struct AuditError: Error, Hashable, Sendable, CustomStringConvertible {
    enum Problem: Hashable, Sendable {
        case unwritable(reason: String)
        case unprotected(ProtectedFileError)
    }

    let path: String
    let problem: Problem

    package var description: String {
        switch problem {
        case .unwritable(let reason):
            """
            The audit file \(path) cannot be written: \(reason). Free some space, check \
            the folder and its permissions, or set backend.audit in the config to another file.
            """
        case .unprotected(let problem):
            "The audit file \(path) \(problem.text(path: ShellWord.quoted(path)))"
        }
    }
}
