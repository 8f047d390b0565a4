import CampaignCore
import FoundationEssentials

/// A plan with the keys of a plan file, which hubsend-plan(5) describes.
struct PlanDocument: JSONLine, Decodable {
    let plan: SavedPlan

    init(_ plan: SavedPlan) {
        self.plan = plan
    }

    enum Key: String, CodingKey {
        case format, hubsend, made, campaign, sending, hub, salt, audience
        case longestAge = "max_age"
        case campaignKeys = "campaign_keys"
        case configKeys = "config_keys"
        case payloadFile = "payload_file"
        case occurrence, again, only, of
        case key, lines
        case path, bytes, digest
        case mediaType = "media_type"
        case named, duplicate, excluded, final, platforms, languages
        case names = "names_digest"
        case values = "values_digest"
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(SavedPlan.format, forKey: .format)
        try object.encode(plan.version, forKey: .hubsend)
        try object.encode(UTCTime.text(plan.made), forKey: .made)
        try object.encode(Durations.written(plan.longestAge), forKey: .longestAge)
        try object.encode(plan.campaign, forKey: .campaign)
        try object.encode(plan.sending, forKey: .sending)
        try object.encode(plan.hub, forKey: .hub)
        try object.encode(Hexadecimal.text(plan.salt), forKey: .salt)
        try object.encode(plan.campaignKeys, forKey: .campaignKeys)
        try object.encode(plan.configKeys, forKey: .configKeys)
        try object.encodeIfPresent(plan.payloadFile, forKey: .payloadFile)
        try object.encode(plan.audience, forKey: .audience)
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        plan = SavedPlan(
            version: try object.text(.hubsend),
            made: try object.value(.made, "a time such as 2026-12-01T09:00:00Z") {
                try? Date($0, strategy: .iso8601)
            },
            longestAge: try object.value(
                .longestAge, "a duration such as 7d", DurationText.usual.parse),
            campaign: try object.text(.campaign),
            sending: try object.decode(PlannedSending.self, forKey: .sending),
            hub: try object.decode(HubIdentity.self, forKey: .hub),
            salt: try object.value(.salt, "\(SavedPlan.saltLength) bytes in hexadecimal") {
                Hexadecimal.bytes($0).flatMap { $0.count == SavedPlan.saltLength ? $0 : nil }
            },
            campaignKeys: try object.decode([DigestedKey].self, forKey: .campaignKeys),
            configKeys: try object.decode([DigestedKey].self, forKey: .configKeys),
            payloadFile: try object.decodeIfPresent(DigestedFile.self, forKey: .payloadFile),
            audience: try object.decode(AudienceDigest.self, forKey: .audience))
    }
}

private typealias Key = PlanDocument.Key

extension PlannedSending: Codable {
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        switch self {
        case .occurrence(let occurrence): try object.encode(occurrence.text, forKey: .occurrence)
        case .again: try object.encode(true, forKey: .again)
        case .followUp(let run, let outcomes):
            try object.encode(run.text, forKey: .of)
            try object.encode(Outcome.allCases.filter(outcomes.contains), forKey: .only)
        }
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        if object.contains(.occurrence) {
            self = .occurrence(
                try object.value(.occurrence, "an occurrence", Occurrence.init(key:)))
        } else if object.contains(.of) {
            self = .followUp(
                of: try object.value(.of, "a run's id") { RunID($0) },
                Set(try object.values(.only, "an outcome") { Outcome(rawValue: $0) }))
        } else {
            self = try object.value(.again, "true") { (again: Bool) in again ? .again : nil }
        }
    }
}

extension DigestedKey: Decodable {
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        self.init(key: try object.text(.key), lines: try object.lines())
    }
}

extension DigestedFile: Decodable {
    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        self.init(
            path: try object.text(.path), mediaType: try object.text(.mediaType),
            byteCount: try object.number(.bytes), digest: try object.digest(.digest),
            lines: try object.lines())
    }
}

extension AudienceDigest: Codable {
    package func encode(to encoder: any Encoder) throws {
        try counts.encode(to: encoder)
        var object = encoder.container(keyedBy: Key.self)
        let platforms = platforms.map { ($0.key.rawValue, $0.value) }
        try object.encode(Dictionary(platforms) { first, _ in first }, forKey: .platforms)
        try object.encode(languages, forKey: .languages)
        try object.encode(names, forKey: .names)
        try object.encode(values, forKey: .values)
    }

    package init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Key.self)
        let platforms = try object.counts(.platforms).map { name, count in
            guard let platform = Platform(rawValue: name) else {
                throw object.problem(
                    .platforms, "\"platforms\" contains a platform that hubsend does not know.")
            }
            return (platform, count)
        }
        self.init(
            counts: AudienceCounts(
                named: try object.number(.named), duplicate: try object.number(.duplicate),
                excluded: try object.number(.excluded), final: try object.number(.final)),
            platforms: Dictionary(platforms) { first, _ in first },
            languages: try object.counts(.languages), names: try object.digest(.names),
            values: try object.digest(.values))
    }
}

extension KeyedDecodingContainer<PlanDocument.Key> {
    fileprivate func problem(_ key: Key, item: String? = nil, _ why: String) -> PlanError {
        PlanError(codingPath + [key], item: item, why: why)
    }

    fileprivate func value<Written: Decodable, Value>(
        _ key: Key, _ noun: String, _ read: (Written) -> Value?
    ) throws -> Value {
        guard let value = read(try decode(Written.self, forKey: key)) else {
            throw problem(key, "\"\(key.rawValue)\" must be \(noun).")
        }
        return value
    }

    fileprivate func text(_ key: Key) throws -> String {
        try value(key, "a text") { $0 == "" ? nil : $0 }
    }

    fileprivate func number(_ key: Key) throws -> Int {
        try value(key, "a number") { $0 < 0 ? nil : $0 }
    }

    fileprivate func digest(_ key: Key) throws -> String {
        try value(key, "a digest") { Hexadecimal.bytes($0)?.count == 32 ? $0 : nil }
    }

    fileprivate func lines() throws -> [String] {
        try values(.lines, "a digest") { Hexadecimal.bytes($0)?.count == 8 ? $0 : nil }
    }

    fileprivate func values<Value>(
        _ key: Key, _ noun: String, _ read: (String) -> Value?
    ) throws -> [Value] {
        try decode([String].self, forKey: key).enumerated().map { index, text in
            guard let value = read(text) else {
                throw problem(
                    key, item: String(index), "Each item of \"\(key.rawValue)\" must be \(noun).")
            }
            return value
        }
    }

    fileprivate func counts(_ key: Key) throws -> [String: Int] {
        let counts = try decode([String: Int].self, forKey: key)
        if let (name, _) = counts.first(where: { $0.value < 0 }) {
            throw problem(
                key, item: name, "Each value in \"\(key.rawValue)\" must be a number.")
        }
        return counts
    }
}
