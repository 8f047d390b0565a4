/// A text with `{{column}}` and `{{column|default}}` in it.
package struct MessageTemplate: Hashable, Sendable {
    /// A piece of a template.
    package enum Segment: Hashable, Sendable {
        case literal(String)
        case variable(name: String, fallback: String?)
    }

    private static let longestName = 64

    /// The text as written.
    package let source: String
    package let segments: [Segment]

    /// Reads a template.
    ///
    /// - Parameter source: the text; `{{` opens a variable and `}}` closes it. Names are 1 to 64 characters of
    ///   `A-Z a-z 0-9 _ . -`. A default may hold anything but `{{` and `}}`. Spaces around names and defaults do not count.
    /// - Throws: the first ``MessageTemplateFault``; ``MessageTemplateReading`` has all of them.
    package init(_ source: String) throws(MessageTemplateFault) {
        let reading = MessageTemplateReading(source)
        if let fault = reading.faults.first { throw fault }
        self = reading.template
    }

    init(source: String, segments: [Segment]) {
        self.source = source
        self.segments = segments
    }

    /// Whether a text can name a variable: 1 to 64 characters of `A-Z a-z 0-9 _ . -`.
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-": true
                default: false
                }
            }
    }

    /// The columns it draws on, in order, possibly more than once.
    package var variables: [String] {
        segments.compactMap { segment in
            if case .variable(let name, _) = segment { name } else { nil }
        }
    }

    /// Fills the template in.
    ///
    /// - Parameters:
    ///   - encoding: what is done to values where they land; literals and defaults stand as they are written.
    ///   - value: a column's value; nil or empty when the recipient has none.
    /// - Returns: the text.
    /// - Throws: ``MissingVariable`` when a recipient has no value and the template no default.
    package func render(
        encoding: ValueEncoding = .none, value: (String) -> String?
    ) throws(MissingVariable) -> String {
        if segments.count == 1, case .literal(let text) = segments[0] { return text }
        var text = ""
        for segment in segments {
            switch segment {
            case .literal(let literal):
                text += literal
            case .variable(let name, let fallback):
                if let value = value(name), !value.isEmpty {
                    text += encoding.encode(value)
                } else if let fallback {
                    text += fallback
                } else {
                    throw MissingVariable(name: name)
                }
            }
        }
        return text
    }
}
