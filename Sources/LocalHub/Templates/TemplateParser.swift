struct TemplateParser {
    private static let mostParts = 1_000
    private static let longestName = 120

    private let encoding: TemplateEncoding
    private var rest: Substring
    private var parts: [TemplatePart] = []
    private var verbatim = ""
    private var position = JSONPosition()

    /// Returns the parts of a body in order; throws a 400 for a malformed expression or too many
    /// parts.
    static func parts(
        of text: String, in encoding: TemplateEncoding
    ) throws(HubFailure) -> [TemplatePart] {
        var parser = TemplateParser(encoding: encoding, rest: text[...])
        return try parser.parse()
    }

    private mutating func parse() throws(HubFailure) -> [TemplatePart] {
        while let character = rest.first {
            let isConcatenation = Self.isConcatenation(rest)
            if isConcatenation || Self.isProperty(rest), position.isEscaped {
                // The backslash would escape the first character of a value.
                throw Self.malformed
            } else if isConcatenation {
                try concatenation()
            } else if Self.isProperty(rest) {
                try expression()
            } else {
                verbatim.append(character)
                if encoding == .json { position.pass(character) }
                rest = rest.dropFirst()
            }
            guard parts.count < Self.mostParts else {
                throw .badRequest("The template has more than \(Self.mostParts) expressions.")
            }
        }
        finishVerbatim()
        return parts
    }

    private mutating func append(_ part: TemplatePart) {
        finishVerbatim()
        parts.append(part)
        position.passExpression()
    }

    private mutating func finishVerbatim() {
        if !verbatim.isEmpty { parts.append(.verbatim(verbatim)) }
        verbatim = ""
    }

    private static func isProperty(_ text: Substring) -> Bool {
        guard let sign = text.first, "$.%#".contains(sign), text.dropFirst().first == "(" else {
            return false
        }
        // A full stop before a parenthesis is usually plain text: only `.(p,n)` with a number is an
        // expression.
        return sign != "." || text.prefixMatch(of: /\.\(\s*[A-Za-z0-9_]+\s*,\s*[0-9]+\s*\)/) != nil
    }

    /// Whether some text starts with a concatenation: `{` before quoted text or a property, because
    /// `{` also starts JSON.
    static func isConcatenation(_ text: Substring) -> Bool {
        guard text.first == "{" else { return false }
        let inner = text.dropFirst().drop { $0 == " " }
        return inner.first == "'" || isProperty(inner)
    }

    private mutating func expression() throws(HubFailure) {
        let (name, style) = try property()
        guard encoding == .json else { return append(.property(name, style)) }
        let closing = rest.unicodeScalars.first == "\""
        if !position.isInString, JSONPosition.isName(before: rest) {
            verbatim += "\""
            append(.property(name, style))
            verbatim = "\""
        } else if !position.isInString {
            append(.value(name, style))
        } else if style == .number, position.hasJustOpened, closing,
            !JSONPosition.isName(before: Substring(rest.unicodeScalars.dropFirst()))
        {
            verbatim.unicodeScalars.removeLast()
            rest = Substring(rest.unicodeScalars.dropFirst())
            position = JSONPosition()
            append(.value(name, style))
        } else {
            append(.property(name, style))
        }
    }

    private mutating func concatenation() throws(HubFailure) {
        let quote = encoding == .json && !position.isInString ? "\"" : ""
        verbatim += quote
        rest = rest.dropFirst()
        while true {
            skipSpace()
            switch rest.first {
            case "'", "\"": append(try literal())
            default:
                guard Self.isProperty(rest) else { throw Self.malformed }
                let (name, style) = try property()
                append(.property(name, style))
            }
            skipSpace()
            let next = rest.first
            guard next == "+" || next == "}" else { throw Self.malformed }
            rest = rest.dropFirst()
            if next == "}" { break }
        }
        verbatim = quote
    }

    private mutating func literal() throws(HubFailure) -> TemplatePart {
        let quote = rest.first
        let inner = rest.dropFirst()
        guard let end = inner.firstIndex(where: { $0 == quote }) else { throw Self.malformed }
        rest = inner[inner.index(after: end)...]
        return .literal(String(inner[..<end]))
    }

    private mutating func property() throws(HubFailure) -> (String, TemplatePart.Style) {
        let sign = rest.first
        rest = rest.dropFirst(2)
        guard let end = rest.firstIndex(of: ")") else { throw Self.malformed }
        let fields = rest[..<end].split(separator: ",", omittingEmptySubsequences: false)
        rest = rest[rest.index(after: end)...]
        let name = (fields.first ?? "").filter { $0 != " " }.lowercased()
        guard (1...Self.longestName).contains(name.count),
            name.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") })
        else { throw Self.malformed }
        switch (sign, fields.count) {
        case ("$", 1): return (name, .whole)
        case ("$", 2): return (name, .first(try count(fields[1])))
        case (".", 2): return (name, .shortened(try count(fields[1])))
        case ("%", 1): return (name, .uriEncoded)
        case ("#", 1): return (name, .number)
        default: throw Self.malformed
        }
    }

    private func count(_ field: Substring) throws(HubFailure) -> Int {
        guard let count = Int(field.filter { $0 != " " }),
            (0...TemplateBody.largest).contains(count)
        else { throw Self.malformed }
        return count
    }

    private mutating func skipSpace() {
        rest = rest.drop { $0 == " " }
    }

    private static let malformed = HubFailure.badRequest(
        "The template has an invalid expression; use $(p), $(p,n), .(p,n), %(p), #(p) or "
            + "{'text' + $(p)}.")
}
