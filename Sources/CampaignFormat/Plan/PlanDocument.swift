import CampaignCore

/// A plan as its file has it; ``PlanReader`` reads the same keys.
struct PlanDocument: Encodable {
    private let plan: SavedPlan

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
        case host, name
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
        try object.encode(Self.text(plan.longestAge), forKey: .longestAge)
        try object.encode(plan.campaign, forKey: .campaign)
        try encodeSending(into: &object)
        var hub = object.nestedContainer(keyedBy: Key.self, forKey: .hub)
        try hub.encode(plan.hub.host, forKey: .host)
        try hub.encode(plan.hub.name, forKey: .name)
        try object.encode(PlanHexadecimal.text(plan.salt), forKey: .salt)
        try encode(plan.campaignKeys, as: .campaignKeys, into: &object)
        try encode(plan.configKeys, as: .configKeys, into: &object)
        try encodePayloadFile(into: &object)
        try encodeAudience(into: &object)
    }

    private func encodeSending(into object: inout KeyedEncodingContainer<Key>) throws {
        var sending = object.nestedContainer(keyedBy: Key.self, forKey: .sending)
        switch plan.sending {
        case .occurrence(let occurrence): try sending.encode(occurrence.text, forKey: .occurrence)
        case .again: try sending.encode(true, forKey: .again)
        case .rest(let run, let outcomes):
            try sending.encode(run.text, forKey: .of)
            try sending.encode(Outcome.allCases.filter(outcomes.contains), forKey: .only)
        }
    }

    private func encode(
        _ keys: [DigestedKey], as key: Key, into object: inout KeyedEncodingContainer<Key>
    ) throws {
        var list = object.nestedUnkeyedContainer(forKey: key)
        for key in keys {
            var item = list.nestedContainer(keyedBy: Key.self)
            try item.encode(key.key, forKey: .key)
            try item.encode(key.lines, forKey: .lines)
        }
    }

    private func encodePayloadFile(into object: inout KeyedEncodingContainer<Key>) throws {
        guard let file = plan.payloadFile else { return }
        var item = object.nestedContainer(keyedBy: Key.self, forKey: .payloadFile)
        try item.encode(file.path, forKey: .path)
        try item.encode(file.mediaType, forKey: .mediaType)
        try item.encode(file.byteCount, forKey: .bytes)
        try item.encode(file.digest, forKey: .digest)
        try item.encode(file.lines, forKey: .lines)
    }

    private func encodeAudience(into object: inout KeyedEncodingContainer<Key>) throws {
        let audience = plan.audience
        var item = object.nestedContainer(keyedBy: Key.self, forKey: .audience)
        try item.encode(audience.counts.named, forKey: .named)
        try item.encode(audience.counts.duplicate, forKey: .duplicate)
        try item.encode(audience.counts.excluded, forKey: .excluded)
        try item.encode(audience.counts.final, forKey: .final)
        let platforms = audience.platforms.map { ($0.key.rawValue, $0.value) }
        try item.encode(Dictionary(platforms) { first, _ in first }, forKey: .platforms)
        try item.encode(audience.languages, forKey: .languages)
        try item.encode(audience.names, forKey: .names)
        try item.encode(audience.values, forKey: .values)
    }

    private static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("m", 60)]
        let unit = units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
        return "\(seconds / unit.seconds)\(unit.name)"
    }
}
