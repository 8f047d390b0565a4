import CampaignCore

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
