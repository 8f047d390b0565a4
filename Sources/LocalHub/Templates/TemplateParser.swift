/// Takes a template's body apart.
struct TemplateParser {
    private static let mostParts = 1_000
    private static let longestName = 120

    private var rest: Substring
    private var parts: [TemplatePart] = []

    /// The parts of a body.
    ///
    /// - Parameter text: the body.
    /// - Returns: its parts in order.
    /// - Throws: a 400 when an expression does not end or cannot be read, or there are too many.
    static func parts(of text: String) throws(HubFailure) -> [TemplatePart] {
        var parser = TemplateParser(rest: text[...])
        return try parser.parse()
    }

    private mutating func parse() throws(HubFailure) -> [TemplatePart] {
        var verbatim = ""
        while let character = rest.first {
            if isProperty(rest) || isConcatenation(rest) {
                if !verbatim.isEmpty { parts.append(.verbatim(verbatim)) }
                verbatim = ""
                if character == "{" { try concatenation() } else { parts.append(try property()) }
            } else {
                verbatim.append(character)
                rest = rest.dropFirst()
            }
            guard parts.count < Self.mostParts else {
                throw .badRequest("The template has more than \(Self.mostParts) expressions.")
            }
        }
        if !verbatim.isEmpty { parts.append(.verbatim(verbatim)) }
        return parts
    }

    private func isProperty(_ text: Substring) -> Bool {
        guard let sign = text.first, "$.%#".contains(sign), text.dropFirst().first == "(" else {
            return false
        }
        // A full stop before a parenthesis is mostly just that: `.(p,n)` needs its number.
        return sign != "." || text.prefixMatch(of: /\.\(\s*[A-Za-z0-9_]+\s*,\s*[0-9]+\s*\)/) != nil
    }

    /// `{` begins a concatenation only before a text in single quotes or a property: it also begins JSON.
    private func isConcatenation(_ text: Substring) -> Bool {
        guard text.first == "{" else { return false }
        let inner = text.dropFirst().drop { $0 == " " }
        return inner.first == "'" || isProperty(inner)
    }

    private mutating func concatenation() throws(HubFailure) {
        rest = rest.dropFirst()
        while true {
            skipSpace()
            switch rest.first {
            case "'", "\"": parts.append(try literal())
            default:
                guard isProperty(rest) else { throw Self.malformed }
                parts.append(try property())
            }
            skipSpace()
            let next = rest.first
            guard next == "+" || next == "}" else { throw Self.malformed }
            rest = rest.dropFirst()
            if next == "}" { return }
        }
    }

    private mutating func literal() throws(HubFailure) -> TemplatePart {
        let quote = rest.first
        let inner = rest.dropFirst()
        guard let end = inner.firstIndex(where: { $0 == quote }) else { throw Self.malformed }
        rest = inner[inner.index(after: end)...]
        return .literal(String(inner[..<end]))
    }

    private mutating func property() throws(HubFailure) -> TemplatePart {
        let sign = rest.first
        rest = rest.dropFirst(2)
        guard let end = rest.firstIndex(of: ")") else { throw Self.malformed }
        let fields = rest[..<end].split(separator: ",", omittingEmptySubsequences: false)
        rest = rest[rest.index(after: end)...]
        let name = (fields.first ?? "").filter { $0 != " " }.lowercased()
        guard (1...Self.longestName).contains(name.count), name.utf8.allSatisfy(Self.isNameByte)
        else { throw Self.malformed }
        switch (sign, fields.count) {
        case ("$", 1): return .property(name, .whole)
        case ("$", 2): return .property(name, .first(try count(fields[1])))
        case (".", 2): return .property(name, .shortened(try count(fields[1])))
        case ("%", 1): return .property(name, .uriEncoded)
        case ("#", 1): return .property(name, .number)
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

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static let malformed = HubFailure.badRequest(
        "An expression of the template cannot be read; they are $(p), $(p,n), .(p,n), %(p), #(p) and "
            + "{'text' + $(p)}.")
}
