import CampaignCore

/// A JSON value whose objects keep the order of their keys.
enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Hashable, Sendable {
        let key: String
        let value: JSONValue

        init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}

extension JSONValue {
    /// Writes JSON with an indentation of two spaces; an array of simple values is on one line.
    func text(depth: Int = 0) -> String {
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .integer(let value): return String(value)
        case .number(let text): return text
        case .string(let text): return JSONText.quoted(text)
        case .array(let items):
            let texts = items.map { $0.text(depth: depth + 1) }
            guard items.contains(where: \.isDeep) else {
                return "[" + texts.joined(separator: ", ") + "]"
            }
            return Self.lines(texts, in: ("[", "]"), depth: depth)
        case .object(let members):
            guard !members.isEmpty else { return "{}" }
            let texts = members.map {
                JSONText.quoted($0.key) + ": " + $0.value.text(depth: depth + 1)
            }
            return Self.lines(texts, in: ("{", "}"), depth: depth)
        }
    }

    private var isDeep: Bool {
        switch self {
        case .array(let items): items.contains(where: \.isDeep)
        case .object(let members): !members.isEmpty
        default: false
        }
    }

    private static func lines(
        _ texts: [String], in ends: (String, String), depth: Int
    ) -> String {
        let margin = "\n" + String(repeating: "  ", count: depth)
        return ends.0 + margin + "  " + texts.joined(separator: "," + margin + "  ") + margin
            + ends.1
    }
}

extension JSONValue {
    /// The value of a node as editors interpret it (YAML 1.2, section 10.3).
    init(_ node: YAMLNode) {
        switch node.content {
        case .sequence(let items): self = .array(items.map { JSONValue($0) })
        case .mapping(let entries):
            self = .object(
                entries.compactMap { entry in
                    guard case .scalar(let key) = entry.key.content else { return nil }
                    return Member(key.text, JSONValue(entry.value))
                })
        case .scalar(let scalar):
            self = scalar.style == .plain ? JSONValue(plain: scalar.text) : .string(scalar.text)
        }
    }

    /// Hexadecimal and octal numbers, infinity and NaN remain strings.
    private init(plain text: String) {
        switch text {
        case "", "~", "null", "Null", "NULL": self = .null
        case "true", "True", "TRUE": self = .boolean(true)
        case "false", "False", "FALSE": self = .boolean(false)
        default:
            let digits = text.utf8.dropFirst("+-".utf8.contains(text.utf8.first ?? 0) ? 1 : 0)
            let isWhole = !digits.isEmpty && digits.allSatisfy { 48...57 ~= $0 }
            if isWhole, let number = Int(text) {
                self = .integer(number)
            } else if isWhole || digits.first.map({ 48...57 ~= $0 || $0 == 46 }) == true,
                digits.allSatisfy({ 48...57 ~= $0 || "+-.eE".utf8.contains($0) }),
                let number = Double(text), number.isFinite
            {
                self = .number(String(number))
            } else {
                self = .string(text)
            }
        }
    }
}
