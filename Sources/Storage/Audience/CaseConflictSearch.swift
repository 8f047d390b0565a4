import CampaignCore

/// Finds names that differ only in case.
///
/// Names with capitals are sorted once more, by their lower-case spelling, and compared with the others by going through both lists at once.
/// Only A to Z are folded: names are ASCII.
struct CaseConflictSearch {
    private typealias Name = SpellingList.Name

    private struct Pair {
        var place: Int
        var first: Name
        var second: Name
        var isWithExclusion = false
    }

    private let people: MemberList
    private let exclusions: MemberList
    private let limit: Int
    private var neighbours: [Pair] = []
    private var missedWithCapitals: [Pair] = []
    private var missed: [Pair] = []

    /// - Parameters:
    ///   - people: the recipients.
    ///   - exclusions: who was to be left out.
    ///   - limit: how many are wanted at the most.
    init(people: MemberList, exclusions: MemberList, limit: Int) {
        self.people = people
        self.exclusions = exclusions
        self.limit = limit
    }

    /// Searches.
    ///
    /// - Parameter area: where the spellings are sorted.
    /// - Returns: recipients that differ from the next one, then recipients whom an exclusion meant to take out and did not.
    /// - Throws: ``StoreError``.
    consuming func conflicts(in area: ScratchArea) throws(StoreError) -> [CaseConflict] {
        try search(in: area)
        var conflicts: [CaseConflict] = []
        for pair in (neighbours + missedWithCapitals + missed).prefix(limit) {
            conflicts.append(
                CaseConflict(
                    first: try member(pair.first.place),
                    second: pair.isWithExclusion
                        ? AudienceMember(
                            username: Username(
                                checked: String(decoding: pair.second.name, as: UTF8.self)),
                            origin: PackedOrigin.unpack(pair.second.origin))
                        : try member(pair.second.place)))
        }
        return conflicts
    }

    private mutating func search(in area: ScratchArea) throws(StoreError) {
        var capitals = try SpellingList(of: people, in: area)
        var exclusionCapitals = try SpellingList(of: exclusions, in: area)
        var plain = try PlainNames(of: people)
        var plainExclusions = try PlainNames(of: exclusions)
        while let spelling = Self.least(capitals.spelling, exclusionCapitals.spelling) {
            var names = try capitals.take(spelling)
            // Capitals stand before small letters.
            if let name = try plain.find(spelling) { names.append(name) }
            for (first, second) in zip(names, names.dropFirst()) {
                neighbours.append(Pair(place: first.place, first: first, second: second))
            }
            for exclusion in try exclusionCapitals.take(spelling) {
                note(exclusion, missing: names, in: &missedWithCapitals)
            }
            if let exclusion = try plainExclusions.find(spelling) {
                note(exclusion, missing: names, in: &missed)
            }
            trim()
        }
        trim(isEnd: true)
    }

    private func note(_ exclusion: Name, missing names: [Name], in list: inout [Pair]) {
        for name in names where name.name != exclusion.name {
            list.append(
                Pair(place: name.place, first: name, second: exclusion, isWithExclusion: true))
        }
    }

    /// Keeps the first by name, so that a million of them take no memory.
    private mutating func trim(isEnd: Bool = false) {
        Self.trim(&neighbours, to: limit, isEnd: isEnd)
        Self.trim(&missedWithCapitals, to: limit, isEnd: isEnd)
        Self.trim(&missed, to: limit, isEnd: isEnd)
    }

    private static func trim(_ pairs: inout [Pair], to limit: Int, isEnd: Bool) {
        guard isEnd || pairs.count > 2 * limit + 1_000 else { return }
        pairs.sort { $0.place < $1.place }
        pairs.removeLast(max(0, pairs.count - limit))
    }

    private func member(_ place: Int) throws(StoreError) -> AudienceMember {
        let cursor = try people.cursor(at: place - 1)
        _ = try cursor.advance()
        return cursor.member
    }

    private static func least(_ first: [UInt8]?, _ second: [UInt8]?) -> [UInt8]? {
        guard let first, let second else { return first ?? second }
        return second.lexicographicallyPrecedes(first) ? second : first
    }
}

/// The names of a list that have capitals, by their lower-case spelling.
private struct SpellingList {
    /// One of the names.
    struct Name {
        var name: [UInt8]
        /// Its place in the list, from 1.
        var place: Int
        /// Where it was read.
        var origin: Int64
    }

    private var spellings: MemberMerge
    private var current: MemberCursor?

    /// Sorts the names with capitals.
    ///
    /// - Parameters:
    ///   - list: the names.
    ///   - area: where they are sorted.
    /// - Throws: ``StoreError``.
    init(of list: MemberList, in area: ScratchArea) throws(StoreError) {
        var sorter = MemberSorter(in: area)
        let cursor = try list.cursor(at: 0)
        var place: Int64 = 0
        while list.hasCapitals, try cursor.advance() {
            place += 1
            guard cursor.hasCapital else { continue }
            let folded = String(decoding: cursor.name.map(Self.fold), as: UTF8.self)
            // With all that is asked of a name later, so that nobody has to be looked up.
            let origin = UInt64(bitPattern: cursor.number)
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: origin >> (8 * $0)) }
            try sorter.add(folded, number: place, rest: bytes + cursor.name)
        }
        spellings = try sorter.sorted(skipsRepeats: false)
        current = try spellings.next()
    }

    /// The next spelling; nil at the end.
    var spelling: [UInt8]? { current.map { Array($0.name) } }

    /// Takes the names of a spelling, in name order, if it is the next one.
    ///
    /// - Throws: ``StoreError``.
    mutating func take(_ spelling: [UInt8]) throws(StoreError) -> [Name] {
        var names: [Name] = []
        while let found = current, found.name.elementsEqual(spelling) {
            let rest = found.rest
            let origin = rest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            names.append(
                Name(
                    name: Array(rest.dropFirst(8)), place: Int(found.number),
                    origin: Int64(bitPattern: origin)))
            current = try spellings.next()
        }
        return names
    }

    private static func fold(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}

/// Finds names without capitals in a list, when they are asked for in name order.
private struct PlainNames {
    private let cursor: MemberCursor
    private var place = 0
    private var isAtEnd = false

    /// Begins at the first name.
    ///
    /// - Throws: ``StoreError``.
    init(of list: MemberList) throws(StoreError) {
        cursor = try list.cursor(at: 0)
        try advance()
    }

    /// Finds a name.
    ///
    /// - Parameter name: behind all that were asked for before.
    /// - Returns: nil when it is not in the list.
    /// - Throws: ``StoreError``.
    mutating func find(_ name: [UInt8]) throws(StoreError) -> SpellingList.Name? {
        while !isAtEnd, cursor.name.lexicographicallyPrecedes(name) { try advance() }
        guard !isAtEnd, cursor.name.elementsEqual(name) else { return nil }
        return SpellingList.Name(name: name, place: place, origin: cursor.number)
    }

    private mutating func advance() throws(StoreError) {
        isAtEnd = try !cursor.advance()
        place += 1
    }
}
