import Files
import Foundation
package import Logging

/// A temporary folder for one piece of work: only its owner can read it, and it is locked while it is in use.
///
/// The lock dies with the process; a folder that nobody holds was left by one that was killed, and the next start takes it
/// away.
package final class WorkFolder: Sendable {
    /// Why a folder cannot be made, or cannot be removed.
    package enum Fault: Error, Hashable, CustomStringConvertible {
        /// It cannot be made.
        case unmakeable(parent: String, why: String)
        /// It is taken away again and again before it can be used; another try may do.
        case unkeepable(parent: String)
        /// A file of it cannot be written.
        case unwritable(path: String, why: String)
        /// It cannot be removed.
        case unremovable(path: String, why: String)

        /// Full sentences.
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
    /// How often a folder is made again when another process removed it as a remnant before it was locked.
    private static let attempts = 20
    /// How often a removal begins again, because what the work left behind still wrote into it.
    private static let removals = 3

    /// Where it is, absolute.
    package let path: String
    private let lock: FileLock

    /// Makes one.
    ///
    /// - Parameters:
    ///   - parent: the folder for temporary files, absolute.
    ///   - prefix: what its name begins with; six random letters and digits follow.
    /// - Throws: ``Fault`` when it cannot be made.
    package init(in parent: String, prefix: String) throws {
        for _ in 0..<Self.attempts {
            let path = try Self.made(in: parent, prefix)
            guard let lock = try Self.locked(path) else { continue }
            (self.path, self.lock) = (path, lock)
            return
        }
        throw Fault.unkeepable(parent: parent)
    }

    /// The path of a file in it.
    package func file(_ name: String) -> String { Path.file(name, in: path) }

    /// Makes a folder in it.
    ///
    /// - Throws: ``Fault`` when it cannot be made.
    package func makeFolder(_ name: String) throws {
        do {
            try Folder.make(file(name))
        } catch {
            throw Fault.unmakeable(parent: path, why: "\(error)")
        }
    }

    /// Writes a new file into it that only its owner can read.
    ///
    /// - Parameters:
    ///   - text: the content.
    ///   - name: the file's name.
    /// - Throws: ``Fault`` when it cannot be written.
    package func write(_ text: String, to name: String) throws {
        let path = file(name)
        do {
            try FileReplacement.write(text.utf8, to: path)
        } catch {
            throw Fault.unwritable(path: path, why: "\(error)")
        }
    }

    /// Removes it with everything in it; links are removed, and not followed.
    ///
    /// - Throws: ``Fault`` when something has to stay.
    package func remove() throws {
        for attempt in 1...Self.removals {
            do {
                return try FileManager.default.removeItem(atPath: path)
            } catch  where attempt == Self.removals {
                throw Fault.unremovable(path: path, why: error.localizedDescription)
            } catch {}
        }
    }

    /// Removes the folders that killed processes of this user left behind.
    ///
    /// - Parameters:
    ///   - parent: the folder for temporary files, absolute.
    ///   - prefix: what the folders' names begin with.
    ///   - logger: gets what could not be removed.
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

    /// Whether it is a folder, and no link to one, that belongs to this user.
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

    /// Locks a new folder; nil when another start took it for a remnant, and takes it away.
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
            // The process that held it before may have removed the folder meanwhile.
            let standing = try FileStatus(of: path + "/" + lockName, followingLinks: false)
            return try file.status().identity == standing.identity ? lock : nil
        } catch {
            guard error.kind == .missing else { throw error }
            return nil
        }
    }
}
