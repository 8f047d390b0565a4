/// Text that was read as a template; errors do not end the reading.
package struct MessageTemplateReading: Sendable {
    /// A variable with an error has an empty name.
    package let template: MessageTemplate
    /// Each variable's range in the text, including its `{{`, in Unicode scalars.
    package let places: [Range<Int>]
    package let errors: [MessageTemplateError]

    package init(_ source: String) {
        var parser = MessageTemplateParser(source)
        parser.parse()
        template = MessageTemplate(source: source, segments: parser.segments)
        places = parser.places
        errors = parser.errors
    }
}

private struct MessageTemplateParser {
    private(set) var segments: [MessageTemplate.Segment] = []
    private(set) var places: [Range<Int>] = []
    private(set) var errors: [MessageTemplateError] = []
    private let scalars: [Unicode.Scalar]
    private var position = 0

    init(_ source: String) {
        self.scalars = Array(source.unicodeScalars)
    }

    mutating func parse() {
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
            takeVariable()
        }
        if !literal.isEmpty || segments.isEmpty { segments.append(.literal(String(literal))) }
    }

    private mutating func takeVariable() {
        let start = position
        var end = start + 2
        // Another `{{` begins the next variable, so this one was never closed.
        while end < scalars.count, !pair("}", at: end), !pair("{", at: end) { end += 1 }
        let isClosed = pair("}", at: end)
        position = isClosed ? end + 2 : end
        let inner = scalars[(start + 2)..<end]
        let bar = inner.firstIndex(of: "|")
        let name = Blanks.column(text(inner[..<(bar ?? inner.endIndex)]))
        let reason: MessageTemplateError.Reason? =
            if !isClosed {
                .unclosed
            } else if name.isEmpty {
                .emptyName
            } else if !MessageTemplate.isColumn(name) {
                .badName(name)
            } else {
                nil
            }
        places.append(start..<position)
        guard let reason else {
            let fallback = bar.map { Blanks.trimmed(text(inner[($0 + 1)...])) }
            segments.append(.variable(name: name, fallback: fallback))
            return
        }
        errors.append(MessageTemplateError(reason: reason, range: start..<position))
        segments.append(.variable(name: "", fallback: nil))
    }

    private func pair(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
        index + 1 < scalars.count && scalars[index] == scalar && scalars[index + 1] == scalar
    }

    private func text(_ slice: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(slice))
    }
}
