import Glibc

/// A file that is written completely or not at all, because it has a temporary name until it is
/// complete.
package final class FileReplacement {
    private let path: String
    private let draft: Draft
    private var isInPlace = false

    /// Begins a new file and removes remnants of killed writers of the same file.
    package init(
        of path: String, mode: UInt32 = 0o600, isOnlyWriter: Bool = false
    ) throws(SystemError) {
        self.path = path
        draft = isOnlyWriter ? try Draft(ofOnlyWriterOf: path) : try Draft(of: path)
        try draft.file.setMode(mode)
    }

    deinit {
        if !isInPlace { unsafe unlink(draft.path) }
    }

    /// Writes a file in one call; after an error, the old file is still there.
    package static func write(
        _ bytes: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o600,
        isOnlyWriter: Bool = false
    ) throws(SystemError) {
        let file = try FileReplacement(of: path, mode: mode, isOnlyWriter: isOnlyWriter)
        try file.write(bytes)
        try file.commit()
    }

    package func write(_ bytes: some Sequence<UInt8>) throws(SystemError) {
        try draft.file.write(bytes)
    }

    /// Lets another writer fill the empty file at a path, which it must not replace; returns its
    /// size.
    package func fill(by writer: (_ path: String) throws -> Void) throws -> Int {
        try writer(draft.path)
        return try draft.file.status().size
    }

    /// Puts the file in place durably; after an error, the old file is still there unless only the
    /// sync failed.
    package func commit() throws(SystemError) {
        try draft.file.sync()
        guard unsafe rename(draft.path, path) == 0 else { throw .last }
        isInPlace = true
        try Folder.sync(Path.folder(of: path))
    }
}

/// A file with a temporary name, locked while its writer lives, so later writers recognize remnants
/// of killed ones.
private final class Draft {
    private static let ending = ".tmp"

    let path: String
    let file: OpenFile
    /// The lock; nil for a sole writer, and on a file system without locks, where no file is
    /// treated as a remnant.
    private let lock: FileLock?

    /// Begins a file that others may write at the same time.
    init(of place: String) throws(SystemError) {
        Self.removeRemnants(of: place)
        while true {
            let number = String(UInt64.random(in: .min ... .max), radix: 36)
            let path = "\(place).\(number)\(Self.ending)"
            let file = try OpenFile(path, for: .creating, followingLinks: false)
            let lock: FileLock?
            do {
                lock = try FileLock.take(of: file)
            } catch {
                (self.path, self.file, self.lock) = (path, file, nil)
                return
            }
            // Another writer may have removed the file as a remnant before it was locked.
            guard let lock, try Self.stands(file, at: path) else { continue }
            (self.path, self.file, self.lock) = (path, file, lock)
            return
        }
    }

    /// Begins a file that nobody else writes, so an existing file is a remnant.
    init(ofOnlyWriterOf place: String) throws(SystemError) {
        path = place + Self.ending
        lock = nil
        do {
            try Folder.removeFile(path)
        } catch {
            guard error.kind == .missing else { throw error }
        }
        file = try OpenFile(path, for: .creating, followingLinks: false)
    }

    /// Whether the open file is still the one at its path.
    private static func stands(_ file: OpenFile, at path: String) throws(SystemError) -> Bool {
        try FileStatus.find(path, followingLinks: false)?.identity == file.status().identity
    }

    // MARK: Remnants of killed writers

    /// Removes drafts of a file that no living process writes; failures do no harm.
    private static func removeRemnants(of place: String) {
        let folder = Path.folder(of: place)
        let start = (Path.name(of: place) ?? "") + "."
        do {
            for name in try Folder.names(in: folder)
            where name.hasPrefix(start) && name.hasSuffix(ending)
                && isNumber(name.dropFirst(start.count).dropLast(ending.count))
            {
                removeRemnant(Path.file(name, in: folder))
            }
        } catch {
            return
        }
    }

    /// Whether text is the number of a draft; earlier versions used the process id.
    private static func isNumber(_ text: Substring) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let isProcess = 1...7 ~= text.utf8.count && text.utf8.allSatisfy(digits.contains)
        return isProcess
            || 10...13 ~= text.utf8.count
                && text.utf8.allSatisfy { digits.contains($0) || letters.contains($0) }
    }

    private static func removeRemnant(_ path: String) {
        do {
            let status = try FileStatus(of: path, followingLinks: false)
            guard status.kind == .regular, status.owner == geteuid() else { return }
            let file = try OpenFile(path, for: .updating, followingLinks: false)
            guard let lock = try FileLock.take(of: file) else { return }
            defer { lock.release() }
            // Another writer may have removed the file or may have just put it in place.
            if try stands(file, at: path) { try Folder.removeFile(path) }
        } catch {
            return
        }
    }
}
