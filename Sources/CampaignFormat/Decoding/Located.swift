import YAMLSyntax

/// A value and where it stands, so that a rule about it points there.
struct Located<Value: Sendable>: Sendable {
    let value: Value
    let range: SourceRange

    init(_ value: Value, at range: SourceRange) {
        self.value = value
        self.range = range
    }

    func map<Other>(_ transform: (Value) -> Other) -> Located<Other> {
        Located<Other>(transform(value), at: range)
    }
}

extension ScalarPlaces {
    /// Finds the places of a text that a key was read as.
    init(_ scalar: Located<YAMLScalar>, source: SourceText) {
        self.init(of: YAMLNode(.scalar(scalar.value), range: scalar.range), in: source)
    }

    /// Where a part of the text stands.
    ///
    /// - Parameters:
    ///   - part: Unicode scalars from the text's start.
    ///   - text: the scalar's text.
    /// - Returns: its range; the whole scalar's where that cannot be told.
    func range(ofCharacters part: Range<Int>, in text: String) -> SourceRange {
        let scalars = text.unicodeScalars
        let start = String(scalars.prefix(part.lowerBound)).utf8.count
        let length = String(scalars.dropFirst(part.lowerBound).prefix(part.count)).utf8.count
        return range(ofText: start..<(start + length))
    }
}
