import CampaignCore
import FoundationEssentials
import YAMLSyntax

/// Reads what ``PlanDocument`` wrote, as YAML, to report the place of an error.
struct PlanReader {
    let path: String

    /// Ignores keys that this version does not know, and throws the first error.
    func plan(in bytes: [UInt8]) throws(PlanFileFault) -> SavedPlan {
        let document = YAMLParser.parse(bytes, limits: YAMLLimits(bytes: PlanFile.largest))
        if let fault = document.faults.first {
            throw damaged(fault.range, fault.message)
        }
        guard let root = document.root else {
            throw damaged(SourceRange(start: .start, end: .start), "The file is empty.")
        }
        let object = try PlanObject(root, path: path)
        let format = try object.number(.format)
        guard format <= SavedPlan.format else { throw .newer(path: path, format: format) }
        let hub = try object.object(.hub)
        return SavedPlan(
            version: try object.text(.hubsend),
            made: try object.value(.made, "a time such as 2026-12-01T09:00:00Z", Self.time),
            longestAge: try object.value(.longestAge, "a duration such as 7d", DurationText.parse),
            campaign: try object.text(.campaign), sending: try sending(try object.object(.sending)),
            hub: HubIdentity(host: try hub.text(.host), name: try hub.text(.name)),
            salt: try object.value(
                .salt, "\(SavedPlan.saltLength) bytes in hexadecimal", Self.salt),
            campaignKeys: try keys(try object.list(.campaignKeys)),
            configKeys: try keys(try object.list(.configKeys)),
            payloadFile: try payloadFile(object),
            audience: try audience(try object.object(.audience)))
    }

    private func damaged(_ range: SourceRange, _ why: String) -> PlanFileFault {
        .damaged(path: path, line: range.start.line, column: range.start.column, why: why)
    }

    private func sending(_ object: PlanObject) throws(PlanFileFault) -> PlannedSending {
        if object.has(.occurrence) {
            return .occurrence(
                try object.value(.occurrence, "an occurrence", Occurrence.init(key:)))
        }
        guard object.has(.of) else {
            _ = try object.value(.again, "true") { $0 == "true" ? true : nil }
            return .again
        }
        let outcomes = try object.texts(.only, "an outcome") { Outcome(rawValue: $0) }
        return .rest(of: try object.value(.of, "a run's id") { RunID($0) }, Set(outcomes))
    }

    private func keys(_ objects: [PlanObject]) throws(PlanFileFault) -> [DigestedKey] {
        var keys: [DigestedKey] = []
        for object in objects {
            keys.append(DigestedKey(key: try object.text(.key), lines: try lines(object)))
        }
        return keys
    }

    private func lines(_ object: PlanObject) throws(PlanFileFault) -> [String] {
        try object.texts(.lines, "a digest") { Self.digest($0, digits: 16) }
    }

    private func payloadFile(_ plan: PlanObject) throws(PlanFileFault) -> DigestedFile? {
        guard plan.has(.payloadFile) else { return nil }
        let object = try plan.object(.payloadFile)
        return DigestedFile(
            path: try object.text(.path), mediaType: try object.text(.mediaType),
            byteCount: try object.number(.bytes),
            digest: try object.value(.digest, "a digest") { Self.digest($0, digits: 64) },
            lines: try lines(object))
    }

    private func audience(_ object: PlanObject) throws(PlanFileFault) -> AudienceDigest {
        var platforms: [Platform: Int] = [:]
        for (name, count) in try object.counts(.platforms) {
            guard let platform = Platform(rawValue: name) else {
                throw object.fault(.platforms, "knows a platform that hubsend does not")
            }
            platforms[platform] = count
        }
        return AudienceDigest(
            counts: AudienceCounts(
                named: try object.number(.named), duplicate: try object.number(.duplicate),
                excluded: try object.number(.excluded), final: try object.number(.final)),
            platforms: platforms, languages: try object.counts(.languages),
            names: try object.value(.names, "a digest") { Self.digest($0, digits: 64) },
            values: try object.value(.values, "a digest") { Self.digest($0, digits: 64) })
    }

    // MARK: Forms of texts

    private static func time(_ text: String) -> Date? {
        do {
            return try Date(text, strategy: .iso8601)
        } catch {
            return nil
        }
    }

    private static func salt(_ text: String) -> [UInt8]? {
        PlanHexadecimal.bytes(text).flatMap { $0.count == SavedPlan.saltLength ? $0 : nil }
    }

    private static func digest(_ text: String, digits: Int) -> String? {
        text.utf8.count == digits && PlanHexadecimal.bytes(text) != nil ? text : nil
    }
}

private struct PlanObject {
    typealias Key = PlanDocument.Key

    private let path: String
    private let range: SourceRange
    private let entries: [String: YAMLNode]

    init(_ node: YAMLNode, path: String) throws(PlanFileFault) {
        guard case .mapping(let entries) = node.content else {
            throw .damaged(
                path: path, line: node.range.start.line, column: node.range.start.column,
                why: "Here must be an object.")
        }
        self.path = path
        range = node.range
        let pairs = entries.compactMap { entry -> (String, YAMLNode)? in
            if case .scalar(let key) = entry.key.content { (key.text, entry.value) } else { nil }
        }
        self.entries = Dictionary(pairs) { first, _ in first }
    }

    func has(_ key: Key) -> Bool { entries[key.rawValue] != nil }

    /// `why` follows the key's name in the sentence.
    func fault(_ key: Key, _ why: String) -> PlanFileFault {
        fault(at: entries[key.rawValue]?.range, "\"\(key.rawValue)\" \(why).")
    }

    private func fault(at place: SourceRange?, _ why: String) -> PlanFileFault {
        let start = (place ?? range).start
        return .damaged(path: path, line: start.line, column: start.column, why: why)
    }

    private func node(_ key: Key) throws(PlanFileFault) -> YAMLNode {
        guard let node = entries[key.rawValue] else {
            throw fault(at: nil, "The key \"\(key.rawValue)\" is missing.")
        }
        return node
    }

    func text(_ key: Key) throws(PlanFileFault) -> String {
        guard case .scalar(let scalar) = try node(key).content, !scalar.text.isEmpty else {
            throw fault(key, "must be a text")
        }
        return scalar.text
    }

    func value<Value>(
        _ key: Key, _ noun: String, _ parse: (String) -> Value?
    ) throws(PlanFileFault) -> Value {
        guard let value = parse(try text(key)) else { throw fault(key, "must be \(noun)") }
        return value
    }

    func number(_ key: Key) throws(PlanFileFault) -> Int {
        try value(key, "a number") { DecimalDigits.parse($0) }
    }

    func object(_ key: Key) throws(PlanFileFault) -> PlanObject {
        try PlanObject(try node(key), path: path)
    }

    private func items(_ key: Key) throws(PlanFileFault) -> [YAMLNode] {
        guard case .sequence(let items) = try node(key).content else {
            throw fault(key, "must be a list")
        }
        return items
    }

    func list(_ key: Key) throws(PlanFileFault) -> [PlanObject] {
        var objects: [PlanObject] = []
        for item in try items(key) { objects.append(try PlanObject(item, path: path)) }
        return objects
    }

    func texts<Value>(
        _ key: Key, _ noun: String, _ parse: (String) -> Value?
    ) throws(PlanFileFault) -> [Value] {
        var values: [Value] = []
        for item in try items(key) {
            guard case .scalar(let scalar) = item.content, let value = parse(scalar.text) else {
                throw fault(at: item.range, "In \"\(key.rawValue)\", this must be \(noun).")
            }
            values.append(value)
        }
        return values
    }

    func counts(_ key: Key) throws(PlanFileFault) -> [String: Int] {
        var counts: [String: Int] = [:]
        for (name, node) in try object(key).entries {
            guard case .scalar(let scalar) = node.content,
                let count = DecimalDigits.parse(scalar.text)
            else { throw fault(at: node.range, "In \"\(key.rawValue)\", this must be a number.") }
            counts[name] = count
        }
        return counts
    }
}
