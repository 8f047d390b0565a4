package import CampaignCore
import Files

/// Sorts an audience on disk.
///
/// It stays in memory until there is too much of it and spills into files without a name then, so that a small preview leaves the disk
/// alone and a large audience does not grow the memory. What is read is appended; sorting comes afterwards, all at once.
package actor AudienceScratch: AudienceSorter {
    /// Where it spills to.
    nonisolated let place: StorePlace
    private let area: ScratchArea
    private var named: MemberSorter
    private var excluded: MemberSorter
    /// The only ones who count; nil: all do.
    private var kept: MemberSorter?
    private var people: MemberList
    private var exclusions: MemberList
    private var conflicts = ValueConflicts()
    /// Where the last page ended, as the next one mostly begins there.
    private var reader: (number: Int, cursor: MemberCursor)?

    /// Makes an empty scratch area.
    ///
    /// - Parameters:
    ///   - path: the store's file. What is spilled goes into its folder or, while that does not exist, the nearest one above it.
    ///     Where that one cannot be written, all stays in memory.
    ///   - cache: how many bytes stay in memory, for each of sorting and what is sorted.
    /// - Throws: ``StoreError`` when the system does not say what the folder is.
    package init(besideStoreAt path: String, cache: Int = 4 << 20) throws(StoreError) {
        let wanted = Path.folder(of: path)
        let folder = try StorePlace.scratch(folder: wanted).access { () throws(SystemFault) in
            try Folder.nearest(wanted)
        }
        area = ScratchArea(folder: folder, memory: cache)
        place = area.place
        named = MemberSorter(in: area)
        excluded = MemberSorter(in: area)
        people = MemberList(in: area)
        exclusions = MemberList(in: area)
    }

    /// Gives memory and disk back now; without it they go with the last reference.
    package func close() {
        reader = nil
        named = MemberSorter(in: area)
        excluded = MemberSorter(in: area)
        kept = nil
        people = MemberList(in: area)
        exclusions = MemberList(in: area)
    }

    package func add(_ members: [AudienceMember]) throws(StoreError) {
        try named.add(members, withValues: true)
    }

    package func exclude(_ members: [AudienceMember]) throws(StoreError) {
        try excluded.add(members, withValues: false)
    }

    package func keep(_ people: [Username]) throws(StoreError) {
        var sorter = kept ?? MemberSorter(in: area)
        // Not held twice, which would copy all of it.
        kept = nil
        defer { kept = sorter }
        for username in people { try sorter.add(username.text, number: 0) }
    }

    package func settle(only: [Username]?) async throws -> AudienceCounts {
        var left = try excluded.sorted(skipsRepeats: true)
        while let exclusion = try left.next() { try exclusions.append(exclusion) }
        var counts = AudienceCounts(named: named.count)
        let wanted = only.map { Set($0.map { Array($0.text.utf8)[...] }) }
        let exclusion = try exclusions.cursor(at: 0)
        var hasExclusion = try exclusion.advance()
        var keeping = try kept?.sorted(skipsRepeats: true)
        var nextKept = try keeping?.next()
        var merge = try named.sorted(skipsRepeats: true)
        var people = MemberList(in: area)
        var different = 0
        var conflicts = ValueConflicts()
        var isKept = false
        while true {
            let next = try merge.next()
            // Whether somebody was named again is known when the next one is.
            if isKept, let again = merge.repeated { conflicts.add(again.example) }
            guard let member = next else { break }
            isKept = false
            different += 1
            if different.isMultiple(of: 65_536) {
                try Task.checkCancellation()
                // Millions take seconds, and a machine with one core has other things to do.
                await Task.yield()
            }
            while let next = nextKept, next.order(to: member) < 0 {
                nextKept = try keeping?.next()
            }
            if keeping != nil, nextKept.map({ $0.order(to: member) != 0 }) ?? true { continue }
            while hasExclusion, exclusion.order(to: member) < 0 {
                hasExclusion = try exclusion.advance()
            }
            if hasExclusion, exclusion.order(to: member) == 0 {
                counts.excluded += 1
            } else if wanted?.contains(member.name) ?? true {
                try people.append(member)
                isKept = true
            }
        }
        self.conflicts = conflicts
        counts.duplicate = counts.named - different
        counts.final = people.count
        self.people = people
        // Their parts are not needed any more.
        named = MemberSorter(in: area)
        excluded = MemberSorter(in: area)
        kept = nil
        return counts
    }

    package func valueConflicts() -> ValueConflicts { conflicts }

    package func caseConflicts(limit: Int) throws(StoreError) -> [CaseConflict] {
        guard people.hasCapitals || exclusions.hasCapitals else { return [] }
        return try CaseConflictSearch(people: people, exclusions: exclusions, limit: limit)
            .conflicts(in: area)
    }

    package func page(after number: Int, limit: Int) throws(StoreError) -> [AudienceMember] {
        let cursor =
            if let reader, reader.number == number { reader.cursor } else {
                try people.cursor(at: number)
            }
        var members: [AudienceMember] = []
        members.reserveCapacity(max(0, min(limit, people.count - number)))
        while members.count < limit, try cursor.advance() { members.append(cursor.member) }
        reader = (number + members.count, cursor)
        return members
    }
}
