import CampaignCore
import Synchronization

@testable import CampaignFormat

/// Generates files with valid and invalid values at each key of a description.
struct ShapeSamples {
    let file: FileShape
    /// nil for files that are not campaigns.
    var kind: CampaignKind?

    /// One file for each value of each key, at any depth.
    var files: [JSONValue] { variants(of: file.root) }

    private func variants(of shape: MappingShape) -> [JSONValue] {
        shape.keys.filter(applies).flatMap { key in
            (values(of: key.value) + key.examples.map(Self.parsed)).map { value in
                sample(of: shape, with: key.name, value)
            }
        }
    }

    private func applies(_ key: KeyShape) -> Bool {
        kind.map(key.kinds.contains) ?? true
    }

    /// A valid mapping with one key set, and without keys that conflict with it.
    private func sample(
        of shape: MappingShape, with name: String? = nil, _ value: JSONValue = .null
    ) -> JSONValue {
        var names = shape.keys.filter { key in
            key.isRequired || kind.map(key.requiringKinds.contains) == true
        }.map(\.name)
        if let name { names.append(name) }
        for relation in shape.relations {
            switch relation {
            case .exactlyOne(let keys):
                let own = keys.filter { key in shape[key].map(applies) == true }
                if let first = own.first(where: { $0 == "text" }) ?? own.first,
                    Set(own).isDisjoint(with: names)
                {
                    names.append(first)
                }
            case .needs(let key, let other): if names.contains(key) { names.append(other) }
            case .needsAny(let key, let others):
                // A section that has this key; its other keys would be valid without the key.
                if let other = others.first, value.has(key, under: name) {
                    names.append(String(other.prefix { $0 != "." }))
                }
            case .atMostOne: break
            }
        }
        // A schedule must set a start, although its mapping has no required key.
        if shape.names == MappingShape.schedule.names,
            Set(["cron", "at", "quiet_hours"]).isDisjoint(with: names)
        {
            names.append("cron")
        }
        // Keys that the chosen key requires are preferred to the first option.
        if let name,
            case .needs(_, let other)? = shape.relations.first(where: { $0.begins(with: name) })
        {
            names.removeAll { shape.excludes($0, beside: other) }
        }
        return .object(
            shape.names.filter(names.contains).compactMap { key in
                shape[key].map {
                    JSONValue.Member(key, key == name ? value : sample(of: $0))
                }
            })
    }

    private func sample(of key: KeyShape) -> JSONValue {
        if key.name == "kind", let kind { return .string(kind.rawValue) }
        // The only form of audience that needs no file.
        if key.name == "audience" {
            if case .mapping = key.value { return ["usernames": ["alice"]] }
        }
        if key.name == "file", kind != nil { return "missing.txt" }
        return key.examples.first.map(Self.parsed) ?? sample(of: key.value)
    }

    private func sample(of value: ValueShape) -> JSONValue {
        switch value {
        case .text, .texts: "x"
        case .integer(let bounds): .integer(bounds.lowerBound)
        case .boolean: true
        case .choice(let choices): .string(choices[0].word)
        case .duration: "1s"
        case .list(let item, let bounds): bounds.atLeast == 0 ? [] : [sample(of: item)]
        case .mapping(let shape): sample(of: shape)
        case .dictionary: ["key": "value"]
        case .oneOf(let shapes): sample(of: shapes[0])
        }
    }

    private func values(of value: ValueShape) -> [JSONValue] {
        switch value {
        case .text: ["", "x", "two words", 12, true, .null, [], ["a": "b"]]
        case .integer(let bounds):
            [
                .integer(bounds.lowerBound), .integer(bounds.upperBound),
                .integer(bounds.lowerBound - 1), .integer(bounds.upperBound + 1), "5", "x", true,
                .null, [1],
            ]
        case .boolean: [true, false, "yes", "true", 1, .null, [true]]
        case .choice(let choices):
            choices.map { .string($0.word) } + ["nonsense", "", .null, [], 1]
        case .duration: ["1s", "15m", "0s", "7", "7w", "1.5h", 7, true, .null, ["1s"]]
        case .list(let item, let bounds):
            values(of: item).map { [$0] } + [[], "x", .null, ["a": "b"]]
                + (bounds.isSet ? [[sample(of: item), sample(of: item)]] : [])
        case .mapping(let shape): variants(of: shape) + ["x", .null, [], ["nonsense": 1]]
        case .dictionary: [["a": "b"], ["a": .null], ["a": ""], [], "x", .null]
        case .texts:
            [
                "Hi", "", " ", .null, [], 12, ["default": "Hi"], ["de": "Hi"],
                ["default": "Hi", "de": ""], ["default": "Hi", "pt-BR": "Oi"],
                ["default": "Hi", "d": "Hi"], ["default": ["Hi"]],
            ]
        case .oneOf(let shapes): shapes.flatMap(values)
        }
    }

    private static func parsed(_ yaml: String) -> JSONValue {
        // The example is cached, because it is part of every sample around it.
        if let known = examples.withLock({ $0[yaml] }) { return known }
        let input = InputFile(path: "example", bytes: Array(yaml.utf8))
        let value = Findings(input).root(of: input, knownBy: .argument).map { JSONValue($0) }
        examples.withLock { $0[yaml] = value ?? .null }
        return value ?? .null
    }

    private static let examples = Mutex<[String: JSONValue]>([:])
}

extension MappingShape {
    /// Whether two keys belong to the same choice.
    fileprivate func excludes(_ key: String, beside other: String) -> Bool {
        relations.contains { relation in
            switch relation {
            case .exactlyOne(let keys), .atMostOne(let keys):
                key != other && keys.contains(key) && keys.contains(other)
            case .needs, .needsAny: false
            }
        }
    }
}

extension JSONValue {
    /// Whether this object sets the key at the path, such as `delivery.rate` under `delivery`.
    fileprivate func has(_ path: String, under name: String?) -> Bool {
        guard let name, path.hasPrefix(name + "."), case .object(let members) = self else {
            return false
        }
        return members.contains { name + "." + $0.key == path }
    }
}

extension MappingShape.Relation {
    /// Whether the relation specifies which keys a key requires.
    fileprivate func begins(with key: String) -> Bool {
        if case .needs(key, _) = self { true } else { false }
    }
}
