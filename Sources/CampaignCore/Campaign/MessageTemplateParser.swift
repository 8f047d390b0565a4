/// Splits a text into literals and variables.
struct MessageTemplateParser {
    private static let longestName = 64

    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ source: String) {
        self.scalars = Array(source.unicodeScalars)
    }

    mutating func parse() throws(MessageTemplateFault) -> [MessageTemplate.Segment] {
        var segments: [MessageTemplate.Segment] = []
        var literal = String.UnicodeScalarView()
        while position < scalars.count {
            guard pair("{", at: position) else {
                literal.append(scalars[position])
                position += 1
                continue
            }
            if !literal.isEmpty {
                segments.append(.literal(String(literal)))
                literal = String.UnicodeScalarView()
            }
            segments.append(try variable())
        }
        if !literal.isEmpty || segments.isEmpty { segments.append(.literal(String(literal))) }
        return segments
    }

    private mutating func variable() throws(MessageTemplateFault) -> MessageTemplate.Segment {
        let start = position
        var end = position + 2
        while end < scalars.count, !pair("}", at: end) { end += 1 }
        guard end < scalars.count else {
            throw MessageTemplateFault(reason: .unclosed, range: start..<scalars.count)
        }
        position = end + 2
        let inner = scalars[(start + 2)..<end]
        let bar = inner.firstIndex(of: "|")
        let name = text(inner[..<(bar ?? inner.endIndex)]).trimmed
        let fallback = bar.map { text(inner[($0 + 1)...]) }
        guard !name.isEmpty else {
            throw MessageTemplateFault(reason: .emptyName, range: start..<position)
        }
        guard name.utf8.count <= Self.longestName, name.unicodeScalars.allSatisfy(Self.isAllowed)
        else { throw MessageTemplateFault(reason: .badName(name), range: start..<position) }
        return .variable(name: name, fallback: fallback)
    }

    private func pair(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
        index + 1 < scalars.count && scalars[index] == scalar && scalars[index + 1] == scalar
    }

    private func text(_ slice: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(slice))
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-": true
        default: false
        }
    }
}

extension String {
    /// Without the spaces and tabs at both ends.
    fileprivate var trimmed: String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
