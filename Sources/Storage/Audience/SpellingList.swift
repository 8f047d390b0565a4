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
    private let list: MemberList

    /// Sorts the names with capitals.
    ///
    /// - Parameters:
    ///   - list: the names.
    ///   - area: where they are sorted.
    /// - Throws: ``StoreError``.
    init(of list: MemberList, in area: ScratchArea) throws(StoreError) {
        self.list = list
        var sorter = MemberSorter(in: area)
        let cursor = try list.cursor(at: 0)
        var place: Int64 = 0
        while list.hasCapitals, try cursor.advance() {
            place += 1
            guard cursor.hasCapital else { continue }
            let folded = String(decoding: cursor.name.map(Self.fold), as: UTF8.self)
            try sorter.add(folded, number: place)
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
            let place = Int(found.number)
            let member = try list.cursor(at: place - 1)
            _ = try member.advance()
            names.append(Name(name: Array(member.name), place: place, origin: member.number))
            current = try spellings.next()
        }
        return names
    }

    private static func fold(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
