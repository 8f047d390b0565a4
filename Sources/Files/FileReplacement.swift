import Glibc

/// A file that is written whole or not at all: under another name beside its place, which it takes at the end.
package final class FileReplacement {
    private let path: String
    private let draft: String
    private let file: OpenFile
    private var isInPlace = false

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - path: where the file shall be; its folder is there.
    ///   - mode: who may do what with it, whatever the process's mask.
    ///   - isOnlyWriter: whether a lock keeps every other writer away; then what a killed one left behind is removed.
    /// - Throws: ``SystemFault``.
    package init(
        of path: String, mode: UInt32 = 0o600, isOnlyWriter: Bool = false
    ) throws(SystemFault) {
        self.path = path
        let number = String(UInt64.random(in: .min ... .max), radix: 36)
        draft = isOnlyWriter ? path + ".tmp" : path + ".\(number).tmp"
        do {
            // Left by a process that was killed.
            if isOnlyWriter { try Folder.removeFile(draft) }
        } catch {
            guard error.kind == .missing else { throw error }
        }
        file = try OpenFile(draft, for: .creating, followingLinks: false)
        try file.setMode(mode)
    }

    deinit {
        if !isInPlace { unsafe unlink(draft) }
    }

    /// Writes a file at once.
    ///
    /// - Parameters:
    ///   - bytes: all that it shall hold.
    ///   - path: where it shall be; its folder is there.
    ///   - mode: who may do what with it.
    ///   - isOnlyWriter: as ``init(of:mode:isOnlyWriter:)`` has it.
    /// - Throws: ``SystemFault``; what stood at the place before still stands.
    package static func write(
        _ bytes: some Sequence<UInt8>, to path: String, mode: UInt32 = 0o600,
        isOnlyWriter: Bool = false
    ) throws(SystemFault) {
        let file = try FileReplacement(of: path, mode: mode, isOnlyWriter: isOnlyWriter)
        try file.write(bytes)
        try file.commit()
    }

    /// Appends bytes.
    ///
    /// - Throws: ``SystemFault`` when the disk is full or gone.
    package func write(_ bytes: some Sequence<UInt8>) throws(SystemFault) {
        try file.write(bytes)
    }

    /// Puts the file in its place, durably.
    ///
    /// - Throws: ``SystemFault``; what stood at the place before still stands, unless only its durability failed.
    package func commit() throws(SystemFault) {
        try file.sync()
        guard unsafe rename(draft, path) == 0 else { throw .last }
        isInPlace = true
        try Folder.sync(Path.folder(of: path))
    }
}
