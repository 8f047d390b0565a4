import Files

/// Where scratch files are made.
struct ScratchArea {
    let place: StorePlace
    /// Nil where nothing can be written, as in a read-only checkout: then memory has to do.
    private let folder: String?
    /// Bytes of a file, or of a sorter, that stay in memory.
    let memory: Int

    /// - Parameters:
    ///   - folder: an existing folder.
    ///   - memory: how many bytes stay in memory.
    init(folder: String, memory: Int) {
        self.init(folder: folder, isWritable: Folder.isWritable(folder), memory: memory)
    }

    init(folder: String, isWritable: Bool, memory: Int) {
        self.place = .scratch(folder: folder)
        self.folder = isWritable ? folder : nil
        self.memory = memory
    }

    /// Bytes of a file that stay in memory.
    fileprivate var fileMemory: Int { folder == nil ? .max : memory }

    /// Makes a file that has no name any more, mode 0600.
    fileprivate func open() throws(StoreError) -> OpenFile {
        try place.access { () throws(SystemFault) in
            try OpenFile.nameless(in: folder ?? ".")
        }
    }
}

/// Bytes that are written in turn and read anywhere; what does not fit into memory goes into a file without a name.
///
/// The file is gone with the value, or with the process.
final class ScratchFile {
    /// Bytes handed to the system at once.
    private static let block = 256 << 10

    private let area: ScratchArea
    private var file: OpenFile?
    /// What is not in the file yet.
    private var tail: [UInt8] = []
    private var tailStart = 0

    /// - Parameter area: where it may be made, and how much of it stays in memory.
    init(in area: ScratchArea) {
        self.area = area
    }

    /// Bytes written.
    var count: Int { tailStart + tail.count }

    /// Writes bytes behind the others.
    ///
    /// - Throws: ``StoreError`` when the disk is full or does not work.
    func append(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        tail += bytes
        if tail.count >= (file == nil ? area.fileMemory : Self.block) { try flush() }
    }

    /// Reads bytes that were written.
    ///
    /// - Parameters:
    ///   - offset: the first byte's.
    ///   - count: how many at the most.
    ///   - buffer: they are put at its end.
    /// - Throws: ``StoreError`` when the disk does not work.
    func read(at offset: Int, count: Int, into buffer: inout [UInt8]) throws(StoreError) {
        var offset = offset
        let end = min(offset + count, self.count)
        if let file, offset < tailStart {
            let wanted = min(end, tailStart) - offset
            do {
                try file.read(at: offset, count: wanted, into: &buffer)
            } catch {
                throw .inputOutput(area.place, code: Int(error.number))
            }
            offset += wanted
        }
        if offset < end { buffer += tail[(offset - tailStart)..<(end - tailStart)] }
    }

    private func flush() throws(StoreError) {
        let file: OpenFile
        if let opened = self.file { file = opened } else { file = try area.open() }
        self.file = file
        try area.place.access { () throws(SystemFault) in try file.write(tail, at: tailStart) }
        tailStart += tail.count
        tail.removeAll(keepingCapacity: tail.capacity <= 2 * Self.block)
    }
}
