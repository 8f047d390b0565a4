/// Text that may contain `{{column}}` and `{{column|default}}`.
package struct MessageTemplate: Hashable, Sendable {
    package enum Segment: Hashable, Sendable {
        case literal(String)
        case variable(name: String, fallback: String?)
    }

    private static let longestName = 64

    package let source: String
    package let segments: [Segment]

    /// Reads a template; throws the first error.
    ///
    /// ``MessageTemplateReading`` returns all of them.
    ///
    /// ``isColumn(_:)`` describes names. A default may contain anything but `{{` and `}}`. Blanks
    /// around names and defaults are ignored.
    package init(_ source: String) throws(MessageTemplateError) {
        let reading = MessageTemplateReading(source)
        if let problem = reading.errors.first { throw problem }
        self = reading.template
    }

    init(source: String, segments: [Segment]) {
        self.source = source
        self.segments = segments
    }

    /// Whether text can be the name of a variable, which is also the name of a column.
    ///
    /// A name consists of 1 to 64 letters of any script, digits, `_ . -` and single inner spaces.
    package static func isColumn(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return (1...longestName).contains(scalars.count) && text == Blanks.column(text)
            && scalars.allSatisfy { scalar in
                "_.- ".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
                    || scalar.properties.numericType == .decimal
                    || scalar.properties.canonicalCombiningClass != .notReordered
            }
    }

    /// Whether text consists of 1 to 64 of the characters `A-Z a-z 0-9 _ . -`.
    package static func isName(_ text: String) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric(or: "_.-") }
    }

    /// The columns that the template uses, in order, including duplicates.
    package var variables: [String] {
        segments.compactMap { segment in
            if case .variable(let name, _) = segment { name } else { nil }
        }
    }

    /// Fills the template in.
    ///
    /// - Parameter encoding: applied only to values; literals and defaults remain as written.
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

package struct MessageTemplateError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unclosed
        case emptyName
        case badName(String)
    }

    package let reason: Reason
    /// The range in Unicode scalars, from the `{{` to the end of the variable.
    package let range: Range<Int>
}

package struct MissingVariable: Error, Hashable, Sendable {
    package let name: String
}

/// How a variable's value is encoded.
///
/// JSON and XML are escaped later, with the whole push body (``PushBody``).
package enum ValueEncoding: Sendable {
    case none
    /// Percent-encodes everything but the unreserved characters of RFC 3986.
    case urlPart

    func encode(_ value: String) -> String {
        switch self {
        case .none: value
        case .urlPart: PercentEncoding.encode(value)
        }
    }
}
