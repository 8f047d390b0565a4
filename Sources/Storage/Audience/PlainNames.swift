/// Finds names without capitals in a list, when they are asked for in name order.
struct PlainNames {
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
