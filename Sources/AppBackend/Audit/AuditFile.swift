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
        if wasMovedAway { file = try Self.open(path) }
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
