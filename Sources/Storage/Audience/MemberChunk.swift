import Glibc

/// Records in memory, to be sorted.
struct MemberChunk {
    /// Where a record stands, with the eight bytes of its name that are looked at now: comparing numbers is much faster than comparing texts.
    private struct Entry {
        var bytes: UInt64
        var offset: Int
    }

    private var records: [UInt8] = []
    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    /// Bytes of memory taken.
    var size: Int { records.count + entries.count * MemoryLayout<Entry>.stride }

    /// Adds a record, laid out as ``MemberCursor`` reads it.
    mutating func append(_ name: String, number: Int64, rest: [UInt8]) {
        var name = name
        entries.append(Entry(bytes: 0, offset: records.count))
        name.withUTF8 { bytes in
            append(UInt32(MemberCursor.headerSize + bytes.count + rest.count))
            append(UInt32(bytes.count))
            append(number)
            unsafe records.append(contentsOf: bytes)
        }
        records += rest
    }

    /// Writes the records by name, then as they were added, and empties the chunk.
    ///
    /// - Throws: ``StoreError``.
    mutating func writeSorted(to file: ScratchFile) throws(StoreError) {
        unsafe records.withUnsafeBytes { records in
            unsafe entries.withUnsafeMutableBufferPointer {
                unsafe Self.sort($0, at: 0, records)
            }
        }
        for entry in entries {
            let length = unsafe records.withUnsafeBytes { bytes in
                unsafe bytes.loadUnaligned(fromByteOffset: entry.offset, as: UInt32.self)
            }
            try file.append(records[entry.offset..<(entry.offset + Int(length))])
        }
        records.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value) { unsafe records.append(contentsOf: $0) }
    }

    /// Sorts entries whose names are the same up to a depth by what follows, eight bytes at a time.
    private static func sort(
        _ entries: UnsafeMutableBufferPointer<Entry>, at depth: Int,
        _ records: UnsafeRawBufferPointer
    ) {
        var entries = unsafe entries
        var longest = 0
        for index in entries.indices {
            let offset = unsafe entries[index].offset
            let length = Int(
                unsafe records.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
            longest = max(longest, length)
            unsafe entries[index].bytes = Self.bytes(
                of: offset + MemberCursor.headerSize, length: length, at: depth, records)
        }
        unsafe entries.sort {
            $0.bytes == $1.bytes ? $0.offset < $1.offset : $0.bytes < $1.bytes
        }
        guard longest > depth + 8 else { return }
        var first = 0
        while first < entries.count {
            var end = first + 1
            while unsafe end < entries.count && entries[end].bytes == entries[first].bytes {
                end += 1
            }
            if end - first > 1 {
                unsafe sort(
                    UnsafeMutableBufferPointer(rebasing: entries[first..<end]), at: depth + 8,
                    records)
            }
            first = end
        }
    }

    /// Eight bytes of a name as a number that compares as they do; zeros stand behind its end, which no name has.
    private static func bytes(
        of name: Int, length: Int, at depth: Int, _ records: UnsafeRawBufferPointer
    ) -> UInt64 {
        let left = length - depth
        if left >= 8 {
            return unsafe UInt64(
                bigEndian: records.loadUnaligned(fromByteOffset: name + depth, as: UInt64.self))
        }
        var value: UInt64 = 0
        for index in 0..<max(0, left) {
            value |= UInt64(unsafe records[name + depth + index]) << UInt64(56 - 8 * index)
        }
        return value
    }
}
