// The compiler takes `stat` from whichever of its two modules it reads first.
import CoreFoundation
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
    /// What mkdtemp(3) replaces.
    private static let letters = "XXXXXX"
    private static let lockName = "lock"
    /// How often a folder is made anew that another start took for a remnant, before it was locked.
    private static let attempts = 20
    /// How often a removal begins again, because what the command left behind still wrote into it.
    private static let removals = 3

    /// Where it is, absolute.
    let path: String
    private let lock: Int32

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
            guard unsafe mkdir(reports, 0o700) == 0 else {
                throw Self.failure(parent, SystemError.last)
            }
            return
        }
        throw CommandFailure(
            .tryAgain,
            "A temporary folder cannot be kept in \(parent): others take it away. Try again.")
    }

    deinit {
        close(lock)
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
                let lock = try takenLock(of: path)
                defer { close(lock) }
                try FileManager.default.removeItem(atPath: path)
                logger.debug("A folder that was left behind is gone", metadata: ["path": "\(path)"])
            } catch let error as NotLocked where error.isPassing {
                continue
            } catch {
                logger.info(
                    "A folder that was left behind could not be removed",
                    metadata: ["path": "\(path)", "error": "\(error)"])
            }
        }
    }

    private static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix)
            && name.utf8.count == prefix.utf8.count + letters.utf8.count
            && name.dropFirst(prefix.count).allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber)
            }
    }

    /// Whether it is a folder, and no link to one, that belongs to this user.
    private static func isOurs(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
            && status.st_uid == geteuid()
    }

    private static func made(in parent: String) throws -> String {
        var path = (parent + "/" + prefix + letters).utf8CString
        // Mode 0700, and never one that is there already (mkdtemp(3)).
        let isMade = unsafe path.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return false }
            return unsafe mkdtemp(start) != nil
        }
        guard isMade else { throw failure(parent, SystemError.last) }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Locks a new folder; nil when another start took it for a remnant, and takes it away.
    private static func locked(_ path: String) throws -> Int32? {
        let lock: Int32
        do {
            lock = try takenLock(of: path)
        } catch {
            guard !error.isPassing else { return nil }
            throw failure(FilePath.folder(of: path), SystemError.text(error.code))
        }
        var (held, standing) = (stat(), stat())
        guard unsafe fstat(lock, &held) == 0,
            unsafe lstat(path + "/" + lockName, &standing) == 0,
            held.st_ino == standing.st_ino, held.st_dev == standing.st_dev
        else {
            close(lock)
            return nil
        }
        return lock
    }

    /// A folder's lock was not to be had.
    private struct NotLocked: Error {
        let code: Int32

        /// Whether somebody else holds it, or the folder is gone.
        var isPassing: Bool { code == EWOULDBLOCK || code == ENOENT }
    }

    /// The descriptor of a folder's lock file, locked.
    private static func takenLock(of path: String) throws(NotLocked) -> Int32 {
        let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw NotLocked(code: errno) }
        defer { close(folder) }
        let lock = unsafe openat(
            folder, lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw NotLocked(code: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(lock)
            throw NotLocked(code: code)
        }
        return lock
    }

    private static func failure(_ parent: String, _ why: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "A temporary folder cannot be made in \(parent): \(why). TMPDIR names another place.")
    }
}
