/// A connection string cut at its semicolons, each part at its first equals sign.
struct ConnectionStringParts {
    private var values: [ConnectionStringPart: String] = [:]

    /// Cuts a connection string.
    ///
    /// - Parameter text: the whole string; the last semicolon is optional.
    /// - Throws: ``ConnectionStringError`` when it is empty, has control characters, a part without
    ///   `=`, or one of the known parts twice or without a value.
    init(_ text: String) throws(ConnectionStringError) {
        var rest = Self.trimmed(text[...], where: Self.isSpace)
        guard !rest.isEmpty else { throw .empty }
        guard
            rest.unicodeScalars.allSatisfy({
                !($0.value < 0x20 || (0x7F...0x9F).contains($0.value))
            })
        else { throw .controlCharacters }
        if rest.last == ";" { rest.removeLast() }

        for pair in rest.split(separator: ";", omittingEmptySubsequences: false) {
            // Keys end in "=", so only the first one separates.
            guard let equals = pair.firstIndex(of: "=") else { throw .malformedPart }
            let name = Self.trimmed(pair[..<equals], where: { $0 == " " })
            let value = Self.trimmed(pair[pair.index(after: equals)...], where: { $0 == " " })
            guard let part = ConnectionStringPart(name: name) else { continue }
            guard !value.isEmpty else { throw .emptyPart(part) }
            guard values.updateValue(String(value), forKey: part) == nil else {
                throw .duplicatePart(part)
            }
        }
    }

    subscript(_ part: ConnectionStringPart) -> String? { values[part] }

    /// The value of a part that a connection string cannot do without.
    ///
    /// - Throws: ``ConnectionStringError/missingPart(_:)`` when it is not there.
    func required(_ part: ConnectionStringPart) throws(ConnectionStringError) -> String {
        guard let value = values[part] else { throw .missingPart(part) }
        return value
    }

    private static func isSpace(_ character: Character) -> Bool {
        character == " " || character == "\t" || character.isNewline
    }

    private static func trimmed(
        _ text: Substring, where isMargin: (Character) -> Bool
    ) -> Substring {
        let start = text.drop(while: isMargin)
        let end = start.lastIndex { !isMargin($0) }
        return end.map { start[...$0] } ?? start[start.endIndex...]
    }
}
