import Files
import Foundation
import Logging

/// The temporary folder of one `hubsend hub exec`: nobody else's to read, and locked while it is in
/// use.
///
/// The lock dies with the process; a folder that nobody holds was left by one that was killed, and
/// the next start takes it away.
final class ExecFolder: Sendable {
    /// What the folders' names begin with; six random letters and digits follow.
    static let prefix = "hubsend-exec-"
    private static let lettersAfterPrefix = 6
    private static let lockName = "lock"
    /// How often a folder is made anew that another start took for a remnant, before it was locked.
    private static let attempts = 20
    /// How often a removal begins again, because what the command left behind still wrote into it.
    private static let removals = 3

    /// Where it is, absolute.
    let path: String
    private let lock: FileLock

    /// The store's file; not there yet.
    var store: String { path + "/store.sqlite" }
    /// The file for the certificate that clients of the hub trust; not there yet.
    var authority: String { path + "/ca.pem" }
    /// The folder for reports.
    var reports: String { path + "/reports" }

    /// Makes one.
    ///
    /// - Parameter parent: the folder for temporary files, absolute.
    /// - Throws: ``CommandFailure`` when it cannot be made.
    init(in parent: String) throws {
        for _ in 0..<Self.attempts {
            let path = try Self.made(in: parent)
            guard let lock = try Self.locked(path) else { continue }
            (self.path, self.lock) = (path, lock)
            do {
                try Folder.make(reports)
            } catch {
                throw Self.failure(parent, "\(error)")
            }
            return
        }
        throw CommandFailure(
            .tryAgain,
            "A temporary folder cannot be kept in \(parent): others take it away. Try again.")
    }

    /// Writes a new file of it, for nobody else to read.
    ///
    /// - Parameters:
    ///   - text: the content.
    ///   - file: where in the folder.
    /// - Throws: ``CommandFailure`` when it cannot be written.
    func write(_ text: String, to file: String) throws {
        let output = try AtomicFile(path: file)
        try output.write(Array(text.utf8))
        try output.commit()
    }

    /// Takes it away, with all that is in it; links are removed, and not followed.
    ///
    /// - Throws: ``CommandFailure`` when something has to stay.
    func remove() throws {
        for attempt in 1...Self.removals {
            do {
                return try FileManager.default.removeItem(atPath: path)
            } catch  where attempt == Self.removals {
                throw CommandFailure(
                    .configuration,
                    """
                    The temporary folder \(path) could not be removed: \
                    \(error.localizedDescription) Remove it by hand.
                    """)
            } catch {}
        }
    }

    /// Takes away what starts of this user left behind that were killed.
    ///
    /// - Parameters:
    ///   - parent: the folder for temporary files, absolute.
    ///   - logger: gets what could not be removed.
    static func removeRemnants(in parent: String, logger: Logger) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: parent)
        } catch {
            // Whether a folder can be made there counts, and that is said if not.
            logger.info("\(parent) cannot be listed", metadata: ["error": "\(error)"])
            return
        }
        for name in names where isName(name) {
            let path = parent + "/" + name
            guard isOurs(path) else { continue }
            do {
                guard let lock = try lock(of: path) else { continue }
                defer { lock.release() }
                try FileManager.default.removeItem(atPath: path)
                logger.debug("A folder that was left behind is gone", metadata: ["path": "\(path)"])
            } catch {
                logger.info(
                    "A folder that was left behind could not be removed",
                    metadata: ["path": "\(path)", "error": "\(error)"])
            }
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix)
            && name.utf8.count == prefix.utf8.count + lettersAfterPrefix
            && name.dropFirst(prefix.count).allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber)
            }
    }

    /// Whether it is a folder, and no link to one, that belongs to this user.
    private static func isOurs(_ path: String) -> Bool {
        do {
            let status = try FileStatus(of: path, followingLinks: false)
            return status.kind == .folder && status.owner == geteuid()
        } catch {
            return false
        }
    }

    private static func made(in parent: String) throws -> String {
        do {
            return try Folder.makeTemporary(in: parent, prefix: prefix)
        } catch {
            throw failure(parent, "\(error)")
        }
    }

    /// Locks a new folder; nil when another start took it for a remnant, and takes it away.
    private static func locked(_ path: String) throws -> FileLock? {
        do {
            return try lock(of: path)
        } catch {
            throw failure(Path.folder(of: path), "\(error)")
        }
    }

    /// Locks a folder; nil when somebody else holds it, or it is gone.
    private static func lock(of path: String) throws(SystemFault) -> FileLock? {
        do throws(SystemFault) {
            let folder = try OpenFile(path, for: .folder, followingLinks: false)
            let file = try OpenFile(component: lockName, in: folder, for: .locking)
            guard let lock = try FileLock.take(of: file) else { return nil }
            // Whoever held it before may have taken the folder away meanwhile.
            let standing = try FileStatus(of: path + "/" + lockName, followingLinks: false)
            return try file.status().identity == standing.identity ? lock : nil
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }

    private static func failure(_ parent: String, _ why: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "A temporary folder cannot be made in \(parent): \(why). TMPDIR names another place.")
    }
}
