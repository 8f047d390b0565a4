import CampaignCore
import Glibc

/// Sorts any number of records by name: as many as fit into memory at a time, then all parts merged.
struct MemberSorter {
    private let area: ScratchArea
    private var chunk = MemberChunk()
    private let parts: ScratchFile
    private var ends: [Int] = []
    private(set) var count = 0

    /// - Parameter area: where parts go that do not fit into memory.
    init(in area: ScratchArea) {
        self.area = area
        self.parts = ScratchFile(in: area)
    }

    /// Adds a record.
    ///
    /// - Parameters:
    ///   - name: what is sorted by.
    ///   - number: is kept with it.
    ///   - rest: is kept with it too.
    /// - Throws: ``StoreError``.
    mutating func add(
        _ name: String, number: Int64, rest: [UInt8] = []
    ) throws(StoreError) {
        chunk.append(name, number: number, rest: rest)
        count += 1
        if chunk.size >= area.memory { try spill() }
    }

    /// Adds people, each with where they were named.
    ///
    /// - Throws: ``StoreError``.
    mutating func add(_ members: [AudienceMember], withValues: Bool) throws(StoreError) {
        for member in members {
            try add(
                member.username.text, number: PackedOrigin.pack(member.origin),
                rest: withValues ? PackedValues.pack(member.values) ?? [] : [])
        }
    }

    /// Sorts; nothing can be added any more.
    ///
    /// - Parameter skipsRepeats: whether of a name that comes again only what was added first counts.
    /// - Returns: all records in name order, then as they were added.
    /// - Throws: ``StoreError``.
    mutating func sorted(skipsRepeats: Bool) throws(StoreError) -> MemberMerge {
        try spill()
        chunk = MemberChunk()
        // All parts' buffers together take no more memory than the chunk did.
        let block = min(64 << 10, max(4 << 10, area.memory / max(1, ends.count)))
        var start = 0
        var cursors: [MemberCursor] = []
        for (turn, end) in ends.enumerated() {
            cursors.append(MemberCursor(parts, range: start..<end, block: block, turn: turn))
            start = end
        }
        return try MemberMerge(cursors, skipsRepeats: skipsRepeats)
    }

    private mutating func spill() throws(StoreError) {
        guard !chunk.isEmpty else { return }
        try chunk.writeSorted(to: parts)
        ends.append(parts.count)
    }
}

/// Records in memory, to be sorted.
private struct MemberChunk {
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

/// Goes through several sorted parts as if they were one.
struct MemberMerge {
    /// A name whose first record and a later one do not hold the same.
    struct Repeat {
        fileprivate let name: [UInt8]
        fileprivate let first: Int64
        fileprivate let other: Int64

        /// Both places, of records whose numbers are origins.
        var example: ValueConflicts.Example {
            let username = Username(checked: String(decoding: name, as: UTF8.self))
            return ValueConflicts.Example(
                first: AudienceMember(username: username, origin: PackedOrigin.unpack(first)),
                other: AudienceMember(username: username, origin: PackedOrigin.unpack(other)))
        }
    }

    /// A heap: each cursor is at or before the two at twice its place.
    private var heap: [MemberCursor] = []
    private let skipsRepeats: Bool
    private var hasBegun = false
    private var previous: [UInt8] = []
    private var previousRest: [UInt8] = []
    private var previousNumber: Int64 = 0
    /// Set by ``next()`` where the name before the one that it returns came again with something else behind it.
    private(set) var repeated: Repeat?

    /// - Parameters:
    ///   - cursors: before their first records.
    ///   - skipsRepeats: whether of a name that comes again only the first record counts.
    /// - Throws: ``StoreError``.
    init(_ cursors: [MemberCursor], skipsRepeats: Bool) throws(StoreError) {
        self.skipsRepeats = skipsRepeats
        for cursor in cursors where try cursor.advance() { heap.append(cursor) }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(place) }
    }

    /// Goes on to the next record.
    ///
    /// - Returns: a cursor that stands at it until the next call; nil at the end.
    /// - Throws: ``StoreError``.
    mutating func next() throws(StoreError) -> MemberCursor? {
        if hasBegun, !heap.isEmpty { try step() }
        hasBegun = true
        guard skipsRepeats else { return heap.first }
        repeated = nil
        while let first = heap.first {
            if !previous.isEmpty, first.name.elementsEqual(previous) {
                if repeated == nil, !first.rest.elementsEqual(previousRest) {
                    repeated = Repeat(
                        name: previous, first: previousNumber, other: first.number)
                }
                try step()
                continue
            }
            previous.removeAll(keepingCapacity: true)
            previous += first.name
            previousRest.removeAll(keepingCapacity: true)
            previousRest += first.rest
            previousNumber = first.number
            return first
        }
        return nil
    }

    private mutating func step() throws(StoreError) {
        if try !heap[0].advance() {
            let last = heap.removeLast()
            if heap.isEmpty { return }
            heap[0] = last
        }
        sink(0)
    }

    private mutating func sink(_ place: Int) {
        var place = place
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && isBefore(heap[child], heap[least]) {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }

    private func isBefore(_ left: MemberCursor, _ right: MemberCursor) -> Bool {
        let order = left.order(to: right)
        return order == 0 ? left.turn < right.turn : order < 0
    }
}
