/// The names of a list that have capitals, by their lower-case spelling.
struct SpellingList {
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
