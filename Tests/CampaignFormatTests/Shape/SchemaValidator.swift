@testable import CampaignFormat

/// Validates values against the part of JSON Schema (draft 2020-12) that hubsend uses.
///
/// Any other keyword is an error.
struct SchemaValidator {
    struct UnknownKeyword: Error, Equatable {
        let keyword: String
    }

    private static let annotations: Set = [
        "$schema", "$id", "title", "description", "default", "examples", "deprecated",
    ]
    private static let plain: Set = [
        "type", "const", "minLength", "maxLength", "pattern", "minimum", "maximum", "required",
        "minItems", "maxItems", "uniqueItems", "maxProperties", "dependentRequired",
    ]
    /// Keywords that take one schema, several, or several by name.
    private static let nested: Set = ["additionalProperties", "propertyNames", "items", "not"]
    private static let alternatives: Set = ["anyOf", "oneOf", "allOf"]

    private let schema: JSONValue
    private let patterns: [String: Regex<AnyRegexOutput>]

    /// Throws for an unknown keyword anywhere in the schema, or for an invalid pattern.
    init(_ schema: JSONValue) throws {
        var patterns: [String: Regex<AnyRegexOutput>] = [:]
        try Self.check(schema, &patterns)
        self.schema = schema
        self.patterns = patterns
    }

    func accepts(_ value: JSONValue) throws -> Bool { try accepts(value, schema) }

    private static func check(
        _ schema: JSONValue, _ patterns: inout [String: Regex<AnyRegexOutput>]
    ) throws {
        if let pattern = schema["pattern"]?.string { patterns[pattern] = try Regex(pattern) }
        for member in schema.members {
            switch member.key {
            case _ where annotations.contains(member.key) || plain.contains(member.key): break
            case _ where nested.contains(member.key), "if", "then":
                try check(member.value, &patterns)
            case _ where alternatives.contains(member.key):
                for schema in member.value.items { try check(schema, &patterns) }
            case "properties":
                for property in member.value.members { try check(property.value, &patterns) }
            default: throw UnknownKeyword(keyword: member.key)
            }
        }
    }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        if case .boolean(let accepts) = schema { return accepts }
        return try schema.members.allSatisfy { try holds($0.key, $0.value, for: value, schema) }
    }

    private func holds(
        _ keyword: String, _ wanted: JSONValue, for value: JSONValue, _ schema: JSONValue
    ) throws -> Bool {
        switch keyword {
        case "type":
            let types = wanted.items.isEmpty ? [wanted] : wanted.items
            return types.contains { value.isOf(type: $0.string ?? "") }
        case "const": return value == wanted
        case "anyOf": return try wanted.items.contains { try accepts(value, $0) }
        case "allOf": return try wanted.items.allSatisfy { try accepts(value, $0) }
        case "oneOf": return try wanted.items.count { try accepts(value, $0) } == 1
        case "not": return try !accepts(value, wanted)
        case "if":
            return try !accepts(value, wanted) || accepts(value, schema["then"] ?? .boolean(true))
        case "minLength", "maxLength", "pattern":
            return try value.string.map { try holds(keyword, wanted, of: $0) } ?? true
        case "minimum": return value.number.map { $0 >= wanted.number ?? 0 } ?? true
        case "maximum": return value.number.map { $0 <= wanted.number ?? 0 } ?? true
        case "items", "minItems", "maxItems", "uniqueItems":
            guard case .array(let items) = value else { return true }
            return try holds(keyword, wanted, of: items)
        case "properties", "required", "additionalProperties", "propertyNames", "maxProperties",
            "dependentRequired":
            guard case .object(let members) = value else { return true }
            return try holds(keyword, wanted, of: members, schema)
        default: return true
        }
    }

    private func holds(
        _ keyword: String, _ wanted: JSONValue, of text: String
    ) throws -> Bool {
        switch keyword {
        case "minLength": text.unicodeScalars.count >= Int(wanted.number ?? 0)
        case "maxLength": text.unicodeScalars.count <= Int(wanted.number ?? 0)
        default: patterns[wanted.string ?? ""].map { text.contains($0) } ?? false
        }
    }

    private func holds(
        _ keyword: String, _ wanted: JSONValue, of items: [JSONValue]
    ) throws -> Bool {
        switch keyword {
        case "minItems": items.count >= Int(wanted.number ?? 0)
        case "maxItems": items.count <= Int(wanted.number ?? 0)
        case "uniqueItems": Set(items).count == items.count
        default: try items.allSatisfy { try accepts($0, wanted) }
        }
    }

    private func holds(
        _ keyword: String, _ wanted: JSONValue, of members: [JSONValue.Member],
        _ schema: JSONValue
    ) throws -> Bool {
        let names = members.map(\.key)
        switch keyword {
        case "required": return wanted.items.allSatisfy { names.contains($0.string ?? "") }
        case "maxProperties": return members.count <= Int(wanted.number ?? 0)
        case "propertyNames": return try names.allSatisfy { try accepts(.string($0), wanted) }
        case "dependentRequired":
            return wanted.members.allSatisfy { rule in
                !names.contains(rule.key)
                    || rule.value.items.allSatisfy { names.contains($0.string ?? "") }
            }
        case "properties":
            return try members.allSatisfy { member in
                try wanted[member.key].map { try accepts(member.value, $0) } ?? true
            }
        default:
            let known = schema["properties"]
            return try members.allSatisfy { member in
                try known?[member.key] != nil || accepts(member.value, wanted)
            }
        }
    }
}

extension JSONValue {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }
    fileprivate var members: [Member] {
        if case .object(let members) = self { members } else { [] }
    }
    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let text): Double(text)
        default: nil
        }
    }

    fileprivate func isOf(type: String) -> Bool {
        switch (self, type) {
        case (.null, "null"), (.boolean, "boolean"), (.integer, "integer"), (.integer, "number"),
            (.number, "number"), (.string, "string"), (.array, "array"), (.object, "object"):
            true
        case (.number, "integer"): number.map { $0 == $0.rounded() } == true
        default: false
        }
    }
}
