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
    /// - Parameter source: the text; `{{` opens a variable and `}}` closes it. Names are as in
    ///   ``isColumn(_:)``. A default may hold anything but `{{` and `}}`. Blanks around names and defaults do not count.
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

    /// Whether a text can name a variable: 1 to 64 letters of any script, digits, `_ . -` and single spaces inside, as spreadsheets
    /// head their columns.
    package static func isColumn(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return (1...longestName).contains(scalars.count) && text == Blanks.column(text)
            && scalars.allSatisfy { scalar in
                "_.- ".unicodeScalars.contains(scalar) || scalar.properties.isAlphabetic
                    || scalar.properties.numericType == .decimal
                    || scalar.properties.canonicalCombiningClass != .notReordered
            }
    }

    /// Whether a text is a plain word: 1 to 64 characters of `A-Z a-z 0-9 _ . -`.
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

/// Why a text is not a template, and where in it.
package struct MessageTemplateFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unclosed
        case emptyName
        case badName(String)
    }

    package let reason: Reason
    /// Unicode scalars from the text's start, from the `{{` up to and with what was read of the variable.
    package let range: Range<Int>

    package init(reason: Reason, range: Range<Int>) {
        self.reason = reason
        self.range = range
    }
}

/// A recipient has no value for a variable that has no default.
package struct MissingVariable: Error, Hashable, Sendable {
    /// The column's name.
    package let name: String

    package init(name: String) {
        self.name = name
    }
}

/// What is done to a variable's value where it lands in a text.
///
/// JSON and XML are encoded once, with the whole push body (``PushBody``).
package enum ValueEncoding: Sendable {
    /// Plain text.
    case none
    /// A part of an address: all but RFC 3986's unreserved characters is percent-encoded.
    case urlPart

    func encode(_ value: String) -> String {
        switch self {
        case .none: value
        case .urlPart: Self.percentEncode(value)
        }
    }

    private static func percentEncode(_ value: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
