import CampaignCore

/// The JSON Schema (draft 2020-12) of a kind of file, for editors and other tools.
///
/// A schema can check only the file itself; `hubsend validate` checks more.
package struct JSONSchema {
    let value: JSONValue

    package init(_ file: FileShape) {
        let head: [JSONValue.Member] = [
            .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
            .init("$id", .string("urn:hubsend:schema:\(file.name):1")),
            .init("title", .string(file.title)), .init("description", .string(file.summary)),
        ]
        let kinds = CampaignKind.allCases.compactMap { kind in
            file.name == FileShape.campaign.name ? Self.condition(for: kind) : nil
        }
        value = .object(head + Self.mapping(file.root, in: file, besides: kinds))
    }

    package var text: String { value.text() + "\n" }

    // MARK: Mappings

    private static func mapping(
        _ shape: MappingShape, in file: FileShape, besides conditions: [JSONValue] = []
    ) -> [JSONValue.Member] {
        // The config's `defaults` may supply these keys.
        let required = shape.keys.filter { key in
            key.isRequired && !(file.name == FileShape.campaign.name && isShared(key, in: shape))
        }
        var members: [JSONValue.Member] = [
            .init("type", "object"),
            .init(
                "properties",
                .object(shape.keys.map { .init($0.name, property($0, in: file)) })),
        ]
        if !required.isEmpty { members.append(.init("required", strings(required.map(\.name)))) }
        members.append(.init("additionalProperties", false))
        return members
            + relations(
                shape.relations.filter { !dependsOnKind($0, in: shape) }, besides: conditions)
    }

    /// Whether the config's `defaults` may supply a required key of a campaign.
    private static func isShared(_ key: KeyShape, in shape: MappingShape) -> Bool {
        guard case .mapping = key.value else {
            return shape.names == MappingShape.campaign.names
                && MappingShape.defaults[key.name] != nil
        }
        return false
    }

    private static func property(_ key: KeyShape, in file: FileShape) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("title", .string(key.title)),
            .init("description", .string(key.summary)),
        ]
        if let standard = key.standard { members.append(.init("default", parsed(standard))) }
        if !key.examples.isEmpty {
            members.append(.init("examples", .array(key.examples.map(parsed))))
        }
        return .object(members + schema(of: key.value, in: file))
    }

    private static func parsed(_ yaml: String) -> JSONValue {
        YAMLParser.parse(Array(yaml.utf8)).root.map { JSONValue($0) } ?? .null
    }

    // MARK: Values

    private static func schema(of value: ValueShape, in file: FileShape) -> [JSONValue.Member] {
        switch value {
        case .text(let form): return text(form)
        case .integer(let bounds):
            return [
                .init("type", "integer"), .init("minimum", .integer(bounds.lowerBound)),
                .init("maximum", .integer(bounds.upperBound)),
            ]
        case .boolean: return [.init("type", "boolean")]
        case .choice(let choices): return [.init("anyOf", .array(choices.map(word)))]
        case .duration: return text(.duration)
        case .list(let item, let bounds): return list(of: item, bounds, in: file)
        case .mapping(let shape): return mapping(shape, in: file)
        case .dictionary(let names, let values, let most):
            return [
                .init("type", "object"), .init("maxProperties", .integer(most)),
                .init("propertyNames", .object(text(names))),
                .init("additionalProperties", .object(text(values))),
            ]
        case .texts: return [.init("anyOf", [.object(text(.template)), .object(languages)])]
        case .oneOf(let shapes):
            return [.init("anyOf", .array(shapes.map { .object(schema(of: $0, in: file)) }))]
        }
    }

    /// For such a key, hubsend reads YAML's numbers and booleans as text.
    private static func text(_ form: TextForm) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init(
                "type", form.mayLookLikeNumber ? ["string", "number", "boolean"] : "string"),
            .init("minLength", 1),
        ]
        if let longest = form.longest { members.append(.init("maxLength", .integer(longest))) }
        if let pattern = form.pattern { members.append(.init("pattern", .string(pattern))) }
        return members
    }

    private static func word(_ choice: Choice) -> JSONValue {
        let members: [JSONValue.Member] = [
            .init("const", .string(choice.word)), .init("description", .string(choice.summary)),
        ]
        return .object(members + (choice.isOld ? [.init("deprecated", true)] : []))
    }

    private static func list(
        of item: ValueShape, _ bounds: ListBounds, in file: FileShape
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("type", "array"), .init("items", .object(schema(of: item, in: file))),
        ]
        if bounds.atLeast > 0 { members.append(.init("minItems", .integer(bounds.atLeast))) }
        if let most = bounds.atMost { members.append(.init("maxItems", .integer(most))) }
        if bounds.isSet { members.append(.init("uniqueItems", true)) }
        return members
    }

    private static let languages: [JSONValue.Member] = [
        .init("type", "object"),
        .init(
            "properties",
            [
                "default": .object(
                    [
                        .init(
                            "description",
                            "The text for everybody whose language is not listed.")
                    ] + text(.template))
            ]), .init("required", ["default"]), .init("propertyNames", .object(text(.language))),
        .init("additionalProperties", .object(text(.template))),
    ]

    private static func strings(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }

    // MARK: Relations between keys

    private static func relations(
        _ relations: [MappingShape.Relation], besides others: [JSONValue] = []
    ) -> [JSONValue.Member] {
        let conditions = relations.map(condition) + others
        return conditions.isEmpty ? [] : [.init("allOf", .array(conditions))]
    }

    private static func condition(_ relation: MappingShape.Relation) -> JSONValue {
        func has(_ key: String) -> JSONValue { ["required": [.string(key)]] }
        switch relation {
        case .exactlyOne(let keys): return ["oneOf": .array(keys.map(has))]
        case .atMostOne(let keys):
            return ["oneOf": .array(keys.map(has) + [["not": ["anyOf": .array(keys.map(has))]]])]
        case .needs(let key, let other):
            return ["dependentRequired": .object([.init(key, [.string(other)])])]
        case .needsAny(let key, let others):
            return ["if": holds(key), "then": ["anyOf": .array(others.map(holds))]]
        }
    }

    /// Requires a key such as `delivery.rate`.
    private static func holds(_ path: String) -> JSONValue {
        guard let dot = path.firstIndex(of: ".") else { return ["required": [.string(path)]] }
        let (key, rest) = (String(path[..<dot]), String(path[path.index(after: dot)...]))
        return .object([
            .init("required", [.string(key)]),
            .init("properties", .object([.init(key, holds(rest))])),
        ])
    }

    // MARK: Kinds of campaigns

    private static func dependsOnKind(
        _ relation: MappingShape.Relation, in shape: MappingShape
    ) -> Bool {
        guard case .exactlyOne(let keys) = relation else { return false }
        return keys.contains { shape[$0]?.isForAllKinds == false }
    }

    private static func condition(for kind: CampaignKind) -> JSONValue {
        [
            "if": [
                "properties": ["kind": ["const": .string(kind.rawValue)]], "required": ["kind"],
            ],
            "then": .object(narrowed(.campaign, to: kind)),
        ]
    }

    /// The keys that a kind refuses and requires beyond the rules for all kinds.
    private static func narrowed(
        _ shape: MappingShape, to kind: CampaignKind
    ) -> [JSONValue.Member] {
        let keys = shape.keys.compactMap { key -> JSONValue.Member? in
            guard key.kinds.contains(kind) else { return .init(key.name, false) }
            guard case .mapping(let inner) = key.value else { return nil }
            let members = narrowed(inner, to: kind)
            return members.isEmpty ? nil : .init(key.name, .object(members))
        }
        let required = shape.keys.filter { $0.requiringKinds.contains(kind) }.map(\.name)
        let choices = shape.relations.compactMap { relation -> MappingShape.Relation? in
            guard case .exactlyOne(let keys) = relation, dependsOnKind(relation, in: shape) else {
                return nil
            }
            let own = keys.filter { shape.has($0, for: kind) }
            return own.isEmpty ? nil : .exactlyOne(own)
        }
        return (keys.isEmpty ? [] : [.init("properties", .object(keys))])
            + (required.isEmpty ? [] : [.init("required", strings(required))])
            + relations(choices)
    }
}
