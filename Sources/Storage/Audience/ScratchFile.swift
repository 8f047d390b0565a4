import Glibc

/// Bytes that are written in turn and read anywhere; what does not fit into memory goes into a file without a name.
///
/// The file is gone with the value, or with the process.
final class ScratchFile {
    /// Bytes handed to the system at once.
    private static let block = 256 << 10

    private let area: ScratchArea
    private var descriptor: Int32?
    /// What is not in the file yet.
    private var tail: [UInt8] = []
    private var tailStart = 0

    /// - Parameter area: where it may be made, and how much of it stays in memory.
    init(in area: ScratchArea) {
        self.area = area
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// Bytes written.
    var count: Int { tailStart + tail.count }

    /// Writes bytes behind the others.
    ///
    /// - Throws: ``StoreError`` when the disk is full or does not work.
    func append(_ bytes: ArraySlice<UInt8>) throws(StoreError) {
        tail += bytes
        if tail.count >= (descriptor == nil ? area.fileMemory : Self.block) { try flush() }
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
        if let descriptor, offset < tailStart {
            let wanted = min(end, tailStart) - offset
            let start = buffer.count
            buffer.append(contentsOf: repeatElement(0, count: wanted))
            var got = 0
            while got < wanted {
                let read = unsafe buffer.withUnsafeMutableBytes { bytes in
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: bytes[(start + got)...])
                    return unsafe pread(
                        descriptor, rest.baseAddress, rest.count, off_t(offset + got))
                }
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    throw .inputOutput(area.place, code: Int(read < 0 ? errno : EIO))
                }
                got += read
            }
            offset += wanted
        }
        if offset < end { buffer += tail[(offset - tailStart)..<(end - tailStart)] }
    }

    private func flush() throws(StoreError) {
        let descriptor: Int32
        if let opened = self.descriptor {
            descriptor = opened
        } else {
            descriptor = try area.open()
            self.descriptor = descriptor
        }
        var written = 0
        while written < tail.count {
            let count = unsafe tail.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                return unsafe pwrite(
                    descriptor, rest.baseAddress, rest.count, off_t(tailStart + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemFault.error(errno, at: area.place) }
            written += count
        }
        tailStart += tail.count
        tail.removeAll(keepingCapacity: tail.capacity <= 2 * Self.block)
    }
}
