import Foundation

/// A JSON value of any shape.
enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a document in UTF-8, whose size the caller has bounded, strictly by RFC 8259; nil when it is not JSON.
    ///
    /// Foundation's parser bounds the nesting. Its decoder is not used: it fails once for every case that a
    /// value is not, and each failure costs as much as the value is deep, minutes for 60 KB.
    static func read(_ bytes: some Sequence<UInt8>) -> JSONValue? {
        let data = Data(bytes)
        guard !isOnlyTolerated(data) else { return nil }
        do {
            return JSONValue(
                parsed: try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed))
        } catch {
            return nil
        }
    }

    /// Whether Foundation's parser takes a document that push services refuse: one with a trailing comma, or in another
    /// encoding than UTF-8, which has NUL bytes.
    private static func isOnlyTolerated(_ document: Data) -> Bool {
        var isInString = false
        var isEscaped = false
        var last: UInt8 = 0
        for byte in document {
            switch byte {
            case 0: return true
            case UInt8(ascii: "\""):
                if !isEscaped { isInString.toggle() }
            case UInt8(ascii: "]") where !isInString && last == UInt8(ascii: ","),
                UInt8(ascii: "}") where !isInString && last == UInt8(ascii: ","):
                return true
            default: break
            }
            isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
            if !byte.isSpace { last = byte }
        }
        return false
    }

    /// Wraps what Foundation's parser made; nil for what it never makes.
    private init?(parsed value: Any) {
        switch value {
        // Containers first: casting one to another type converts all its elements.
        case let values as [Any]: self = .array(values.compactMap(JSONValue.init(parsed:)))
        case let members as [String: Any]:
            self = .object(members.compactMapValues(JSONValue.init(parsed:)))
        case let text as String: self = .string(text)
        case is NSNull: self = .null
        case let number as NSNumber:
            // Foundation's booleans are numbers of a class of their own.
            let isBoolean = type(of: number) == type(of: NSNumber(value: true))
            self = isBoolean ? .bool(number.boolValue) : .number(number.doubleValue)
        default: return nil
        }
    }

    /// The text of a string; nil for any other value.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members of an object; nil for any other value.
    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The value as a document, members in the order of their names.
    var json: String {
        switch self {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let value):
            return Int64(exactly: value).map(String.init) ?? "\(value)"
        case .string(let text): return JSONText.quoted(text)
        case .array(let values): return "[" + values.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            return JSONText.object(
                members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        }
    }
}

/// For values that the hub itself wrote; those of clients are read by ``read(_:)``.
extension JSONValue: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

/// The members of a JSON object by name.
typealias JSONObject = [String: JSONValue]

extension JSONObject {
    /// Whether every member is a string.
    var holdsOnlyStrings: Bool { values.allSatisfy { $0.text != nil } }

    /// Whether there is a member of this name, `null` included.
    func has(_ name: String) -> Bool { self[name] != nil }

    /// The object under a name; nil when there is none.
    func object(_ name: String) -> JSONObject? { self[name]?.members }

    /// The string under a name; nil when there is none.
    func string(_ name: String) -> String? { self[name]?.text }

    /// The whole number under a name; nil when there is none.
    func integer(_ name: String) -> Int? {
        guard case .number(let number) = self[name] else { return nil }
        return Int(exactly: number)
    }
}

/// Text as JSON writes it.
enum JSONText {
    /// A string in quotes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}":
                result += "\\u" + Hexadecimal.text(UInt64(scalar.value), digits: 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// An object with its members in the order given; their values are JSON already.
    static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    /// An object of strings, in the order of their names.
    static func object(_ texts: [String: String]) -> String {
        object(texts.sorted { $0.key < $1.key }.map { ($0.key, quoted($0.value)) })
    }

    /// An array of strings.
    static func array(_ texts: [String]) -> String {
        "[" + texts.map(quoted).joined(separator: ",") + "]"
    }
}
