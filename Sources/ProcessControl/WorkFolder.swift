import Files
import Foundation
package import Logging

/// A temporary folder for one piece of work, readable by its owner only and locked while it is in
/// use.
///
/// The lock ends with the process; the next start removes an unlocked folder, which a killed
/// process left.
package final class WorkFolder: Sendable {
    package enum Fault: Error, Hashable, CustomStringConvertible {
        case unmakeable(parent: String, why: String)
        /// It is removed again and again before it can be used; another attempt may succeed.
        case unkeepable(parent: String)
        case unwritable(path: String, why: String)
        case unremovable(path: String, why: String)

        package var description: String {
            switch self {
            case .unmakeable(let parent, let why):
                "A temporary folder cannot be made in \(parent): \(why). TMPDIR names another place."
            case .unkeepable(let parent):
                "A temporary folder cannot be kept in \(parent): others take it away. Try again."
            case .unwritable(let path, let why): "The file \(path) cannot be written: \(why)."
            case .unremovable(let path, let why):
                "The temporary folder \(path) could not be removed: \(why) Remove it by hand."
            }
        }
    }

    private static let lettersAfterPrefix = 6
    private static let lockName = "lock"
    /// Attempts, in case another process removes it as a remnant before it is locked.
    private static let attempts = 20
    /// Attempts, in case a background process still writes into it.
    private static let removals = 3

    /// Absolute.
    package let path: String
    private let lock: FileLock

    /// Makes a folder in an absolute one for temporary files.
    package init(in parent: String, prefix: String) throws {
        for _ in 0..<Self.attempts {
            let path = try Self.made(in: parent, prefix)
            guard let lock = try Self.locked(path) else { continue }
            (self.path, self.lock) = (path, lock)
            return
        }
        throw Fault.unkeepable(parent: parent)
    }

    package func file(_ name: String) -> String { Path.file(name, in: path) }

    package func makeFolder(_ name: String) throws {
        do {
            try Folder.make(file(name))
        } catch {
            throw Fault.unmakeable(parent: path, why: "\(error)")
        }
    }

    /// Writes a new file that only its owner can read.
    package func write(_ text: String, to name: String) throws {
        let path = file(name)
        do {
            try FileReplacement.write(text.utf8, to: path)
        } catch {
            throw Fault.unwritable(path: path, why: "\(error)")
        }
    }

    /// Removes it with its content; links are not followed.
    package func remove() throws {
        for attempt in 1...Self.removals {
            do {
                return try FileManager.default.removeItem(atPath: path)
            } catch  where attempt == Self.removals {
                throw Fault.unremovable(path: path, why: error.localizedDescription)
            } catch {}
        }
    }

    /// Removes the folders of this user's killed processes.
    package static func removeRemnants(in parent: String, prefix: String, logger: Logger) {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: parent)
        } catch {
            // Only whether a folder can be made there counts; if not, that is reported.
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
                logger.debug("A folder that was left behind is gone", metadata: ["path": "\(path)"])
            } catch {
                logger.info(
                    "A folder that was left behind could not be removed",
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

    /// Whether it is a folder of this user's, not a link.
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
            throw Fault.unmakeable(parent: parent, why: "\(error)")
        }
    }

    /// Locks a new folder; nil when another start took it for a remnant.
    private static func locked(_ path: String) throws -> FileLock? {
        do {
            return try lock(of: path)
        } catch {
            throw Fault.unmakeable(parent: Path.folder(of: path), why: "\(error)")
        }
    }

    /// Locks a folder; nil when somebody else holds it, or it is gone.
    private static func lock(of path: String) throws(SystemFault) -> FileLock? {
        do throws(SystemFault) {
            let folder = try OpenFile(path, for: .folder, followingLinks: false)
            let file = try OpenFile(component: lockName, in: folder, for: .locking)
            guard let lock = try FileLock.take(of: file) else { return nil }
            // The previous holder may have removed the folder meanwhile.
            let standing = try FileStatus(of: path + "/" + lockName, followingLinks: false)
            return try file.status().identity == standing.identity ? lock : nil
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }
}
