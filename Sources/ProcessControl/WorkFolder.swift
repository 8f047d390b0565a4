import Files
import Foundation
package import Logging

/// A temporary folder for one piece of work, readable only by its owner and locked while it is in
/// use.
///
/// The lock is released when the process ends. The next start removes unlocked folders, which
/// killed processes left behind.
package final class WorkFolder: Sendable {
    package enum Failure: Error, Hashable, CustomStringConvertible {
        case unmakeable(parent: String, why: String)
        /// Other processes remove each new folder before it can be used; another attempt may
        /// succeed.
        case unkeepable(parent: String)
        case unwritable(path: String, why: String)
        case unremovable(path: String, why: String)

        package var description: String {
            switch self {
            case .unmakeable(let parent, let why):
                "A temporary folder cannot be created in \(parent): \(why). Set TMPDIR to another folder."
            case .unkeepable(let parent):
                "Other processes keep removing the temporary folder in \(parent). Try again."
            case .unwritable(let path, let why): "The file \(path) cannot be written: \(why)."
            case .unremovable(let path, let why):
                "The temporary folder \(path) could not be removed: \(why) Remove it by hand."
            }
        }
    }

    private static let lettersAfterPrefix = 6
    private static let lockName = "lock"
    /// The number of attempts, in case other processes remove the folder as a remnant before it is
    /// locked.
    private static let attempts = 20
    /// The number of attempts, in case a background process still writes into the folder.
    private static let removals = 3

    /// Absolute.
    package let path: String
    private let lock: FileLock

    /// Creates a folder in `parent`, an absolute path for temporary files.
    package init(in parent: String, prefix: String) throws {
        for _ in 0..<Self.attempts {
            let path = try Self.made(in: parent, prefix)
            guard let lock = try Self.locked(path) else { continue }
            (self.path, self.lock) = (path, lock)
            return
        }
        throw Failure.unkeepable(parent: parent)
    }

    package func file(_ name: String) -> String { Path.file(name, in: path) }

    package func makeFolder(_ name: String) throws {
        do {
            try Folder.make(file(name))
        } catch {
            throw Failure.unmakeable(parent: path, why: "\(error)")
        }
    }

    /// Writes a new file that only its owner can read.
    package func write(_ text: String, to name: String) throws {
        let path = file(name)
        do {
            try FileReplacement.write(text.utf8, to: path)
        } catch {
            throw Failure.unwritable(path: path, why: "\(error)")
        }
    }

    /// Removes the folder with its content; links are not followed.
    package func remove() throws {
        for attempt in 1...Self.removals {
            do {
                return try FileManager.default.removeItem(atPath: path)
            } catch  where attempt == Self.removals {
                throw Failure.unremovable(path: path, why: error.localizedDescription)
            } catch {}
        }
    }

    /// Removes the folders that this user's killed processes left behind.
    package static func removeRemnants(in parent: String, prefix: String, logger: Logger) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: parent)
        } catch {
            // A failure only skips the cleanup; if no folder can be created there, this is reported
            // later.
            logger.info("\(parent) cannot be listed", metadata: ["error": "\(error)"])
            return
        }
        for name in names where isName(name, prefix) {
            let path = parent + "/" + name
            guard isOurs(path) else { continue }
            do {
                guard let lock = try lock(of: path) else { continue }
                defer { lock.release() }
                try FileManager.default.removeItem(atPath: path)
                logger.debug("Removed a leftover temporary folder", metadata: ["path": "\(path)"])
            } catch {
                logger.info(
                    "A leftover temporary folder could not be removed",
                    metadata: ["path": "\(path)", "error": "\(error)"])
            }
        }
    }

    private static func isName(_ name: String, _ prefix: String) -> Bool {
        name.hasPrefix(prefix)
            && name.utf8.count == prefix.utf8.count + lettersAfterPrefix
            && name.dropFirst(prefix.count).allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber)
            }
    }

    /// Whether the path is a folder of this user and not a link.
    private static func isOurs(_ path: String) -> Bool {
        do {
            let status = try FileStatus(of: path, followingLinks: false)
            return status.kind == .folder && status.owner == geteuid()
        } catch {
            return false
        }
    }

    private static func made(in parent: String, _ prefix: String) throws -> String {
        do {
            return try Folder.makeTemporary(in: parent, prefix: prefix)
        } catch {
            throw Failure.unmakeable(parent: parent, why: "\(error)")
        }
    }

    /// Locks a new folder; nil if another process removed it as a remnant.
    private static func locked(_ path: String) throws -> FileLock? {
        do {
            return try lock(of: path)
        } catch {
            throw Failure.unmakeable(parent: Path.folder(of: path), why: "\(error)")
        }
    }

    /// Locks a folder; nil if another process holds the lock or the folder is gone.
    private static func lock(of path: String) throws(SystemError) -> FileLock? {
        do throws(SystemError) {
            let folder = try OpenFile(path, for: .folder, followingLinks: false)
            let file = try OpenFile(component: lockName, in: folder, for: .locking)
            guard let lock = try FileLock.take(of: file) else { return nil }
            // The previous holder may have removed the folder in the meantime.
            let current = try FileStatus(of: path + "/" + lockName, followingLinks: false)
            return try file.status().identity == current.identity ? lock : nil
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }
}
