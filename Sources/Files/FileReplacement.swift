import Glibc

/// A file that is written whole or not at all: under another name beside its place, which it takes at the end.
package final class FileReplacement {
    private let path: String
    private let draft: Draft
    private var isInPlace = false

    /// Begins to write; what killed writers of the same file left behind is removed.
    ///
    /// - Parameters:
    ///   - path: where the file shall be; its folder is there.
    ///   - mode: who may do what with it, whatever the process's mask.
    ///   - isOnlyWriter: whether a lock keeps every other writer away; then the draft has the same name each time.
    /// - Throws: ``SystemFault``.
    package init(
        of path: String, mode: UInt32 = 0o600, isOnlyWriter: Bool = false
    ) throws(SystemFault) {
        self.path = path
        draft = isOnlyWriter ? try Draft(ofOnlyWriterOf: path) : try Draft(of: path)
        try draft.file.setMode(mode)
    }

    deinit {
        if !isInPlace { unsafe unlink(draft.path) }
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
        try draft.file.write(bytes)
    }

    /// Puts the file in its place, durably.
    ///
    /// - Throws: ``SystemFault``; what stood at the place before still stands, unless only its durability failed.
    package func commit() throws(SystemFault) {
        try draft.file.sync()
        guard unsafe rename(draft.path, path) == 0 else { throw .last }
        isInPlace = true
        try Folder.sync(Path.folder(of: path))
    }
}
