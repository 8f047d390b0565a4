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
