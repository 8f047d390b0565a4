/// The keys of one mapping so far, with their places.
///
/// Most mappings are small: the first keys are compared one by one, and only more of them are
/// worth a hash table.
struct KeyIndex {
    private var few: [(text: String, range: SourceRange)] = []
    private var many: [String: SourceRange] = [:]
    private static let fewAtMost = 8

    /// Notes a key.
    ///
    /// - Returns: the place of the same key if it was there before.
    mutating func insert(_ text: String, at range: SourceRange) -> SourceRange? {
        if many.isEmpty {
            if let first = few.first(where: { $0.text == text }) { return first.range }
            guard few.count == Self.fewAtMost else {
                few.append((text, range))
                return nil
            }
            many = Dictionary(
                few.map { ($0.text, $0.range) }, uniquingKeysWith: { first, _ in first })
        }
        if let first = many[text] { return first }
        many[text] = range
        return nil
    }
}
