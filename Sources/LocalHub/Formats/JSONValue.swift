import Foundation

enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads a UTF-8 document strictly according to RFC 8259; nil if it is not JSON.
    ///
    /// The caller must limit the size of the document.
    ///
    /// Foundation's decoder would take minutes for 60 KB of deep nesting, because it tries every
    /// type for each value.
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

    /// Whether the document has a trailing comma or is not UTF-8; Foundation accepts it, but push
    /// services do not.
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

    private init?(parsed value: Any) {
        switch value {
        // Containers are checked first, because casting a container to another type converts all
        // its elements.
        case let values as [Any]: self = .array(values.compactMap(JSONValue.init(parsed:)))
        case let members as [String: Any]:
            self = .object(members.compactMapValues(JSONValue.init(parsed:)))
        case let text as String: self = .string(text)
        case is NSNull: self = .null
        case let number as NSNumber:
            // Foundation's booleans are numbers of a special class.
            let isBoolean = type(of: number) == type(of: NSNumber(value: true))
            self = isBoolean ? .bool(number.boolValue) : .number(number.doubleValue)
        default: return nil
        }
    }

    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    var members: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The value as a JSON document; members are sorted by name.
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

/// Use this only for values written by the hub; ``read(_:)`` reads values from clients.
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

typealias JSONObject = [String: JSONValue]

extension JSONObject {
    var holdsOnlyStrings: Bool { values.allSatisfy { $0.text != nil } }

    /// Whether there is a member with this name, even if its value is `null`.
    func has(_ name: String) -> Bool { self[name] != nil }

    func object(_ name: String) -> JSONObject? { self[name]?.members }

    func string(_ name: String) -> String? { self[name]?.text }

    func integer(_ name: String) -> Int? {
        guard case .number(let number) = self[name] else { return nil }
        return Int(exactly: number)
    }
}

enum JSONText {
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

    /// An object with its members in the given order; their values are already JSON.
    static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
    }

    static func object(_ texts: [String: String]) -> String {
        object(texts.sorted { $0.key < $1.key }.map { ($0.key, quoted($0.value)) })
    }

    static func array(_ texts: [String]) -> String {
        "[" + texts.map(quoted).joined(separator: ",") + "]"
    }
}
