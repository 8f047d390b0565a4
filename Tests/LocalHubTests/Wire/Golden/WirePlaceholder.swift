/// The text between `{{` and `}}` in a fixture, and around it.
enum WirePlaceholder {
    enum Piece: Equatable {
        case text(String)
        case placeholder(String)
    }

    static func pieces(of line: String) throws -> [Piece] {
        var pieces: [Piece] = []
        var rest = line[...]
        while let open = rest.firstRange(of: "{{") {
            guard var close = rest[open.upperBound...].firstRange(of: "}}") else { break }
            // The repeated text may end with a brace.
            while rest[open.upperBound...].hasPrefix("repeat:"),
                rest[close.upperBound...].hasPrefix("}")
            {
                close = rest.index(after: close.lowerBound)..<rest.index(after: close.upperBound)
            }
            if open.lowerBound > rest.startIndex {
                pieces.append(.text(String(rest[..<open.lowerBound])))
            }
            pieces.append(.placeholder(String(rest[open.upperBound..<close.lowerBound])))
            rest = rest[close.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    /// The text of `repeat:COUNT:TEXT`; nil for any other placeholder.
    static func repeated(_ placeholder: String) throws -> String? {
        let parts = placeholder.split(separator: ":", maxSplits: 2)
        guard parts.first == "repeat" else { return nil }
        guard parts.count == 3, let count = Int(parts[1]) else {
            throw WireFixtureError("{{\(placeholder)}} is not {{repeat:COUNT:TEXT}}")
        }
        return String(repeating: String(parts[2]), count: count)
    }
}
