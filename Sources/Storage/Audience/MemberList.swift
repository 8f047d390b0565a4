/// People in name order, numbered from 1.
struct MemberList {
    /// The place of every so many-th one is kept.
    private static let stride = 1_024

    private let file: ScratchFile
    private var places: [Int] = []
    private(set) var count = 0
    /// Whether any name has a letter from A to Z.
    private(set) var hasCapitals = false

    /// - Parameter area: where it goes when it does not fit into memory.
    init(in area: ScratchArea) {
        self.file = ScratchFile(in: area)
    }

    /// Adds the next one.
    ///
    /// - Parameter cursor: stands at them.
    /// - Throws: ``StoreError``.
    mutating func append(_ cursor: MemberCursor) throws(StoreError) {
        if count.isMultiple(of: Self.stride) { places.append(file.count) }
        count += 1
        if !hasCapitals { hasCapitals = cursor.hasCapital }
        try file.append(cursor.record)
    }

    /// Stands at somebody, or before the first one for 0.
    ///
    /// - Parameter number: of the one to stand at; may be beyond the last.
    /// - Returns: a cursor whose `advance` gives the one behind.
    /// - Throws: ``StoreError``.
    func cursor(at number: Int) throws(StoreError) -> MemberCursor {
        let place = number / Self.stride
        guard place < places.count else {
            return MemberCursor(file, range: file.count..<file.count)
        }
        let cursor = MemberCursor(file, range: places[place]..<file.count)
        for _ in 0..<(number % Self.stride) where try !cursor.advance() { break }
        return cursor
    }
}
