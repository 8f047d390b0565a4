import CampaignCore
import FoundationEssentials

/// The output of `preview --format json`; keys are only ever added.
struct PreviewJSON: JSONLine {
    private enum Key: String, CodingKey {
        case campaign, description, kind, recipients, languages, deliveries, requests, seconds, hub
        case platforms, now, remarks, messages, masked, reach, waves, fallback
        case wouldSend = "would_send"
        case nextStart = "next_start"
        case sentEarly = "sent_early"
    }

    private enum NowKey: String, CodingKey {
        case action, run, state, deliveries, capped
        case changedSince = "changed_since"
    }

    private enum TurnKey: String, CodingKey {
        case opens, zones, people, after, message
        case tooLate = "too_late"
    }

    private enum PlatformKey: String, CodingKey {
        case platform, method, url, headers, body, bytes, limit
    }

    private enum PartKey: String, CodingKey {
        case language, people, user, defaults, appearances, platforms, title, message, placeholder
        case type, link, data, content, text, url, file, bytes, id
        case mediaType = "media_type"
    }

    private let model: PreviewModel

    init(_ model: PreviewModel) {
        self.model = model
    }

    /// Several lines, for people.
    func document() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return VisibleText.json(String(decoding: try encoder.encode(self), as: UTF8.self)) + "\n"
    }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(model.campaign, forKey: .campaign)
        try object.encode(model.description, forKey: .description)
        try object.encode(model.kind.rawValue, forKey: .kind)
        try object.encode(model.audience, forKey: .recipients)
        try object.encode(model.deliveries, forKey: .deliveries)
        try object.encode(model.requests, forKey: .requests)
        try object.encode(model.seconds, forKey: .seconds)
        try object.encode(model.hub?.description, forKey: .hub)
        try object.encode(model.wouldSend, forKey: .wouldSend)
        try object.encode(model.isMasked, forKey: .masked)
        try object.encode(model.reach.map(ReachJSON.init), forKey: .reach)
        var languages = object.nestedUnkeyedContainer(forKey: .languages)
        for entry in model.languages {
            var part = languages.nestedContainer(keyedBy: PartKey.self)
            try part.encode(entry.language?.text, forKey: .language)
            try part.encode(entry.people, forKey: .people)
        }
        var platforms = object.nestedUnkeyedContainer(forKey: .platforms)
        for platform in model.platforms { try encode(platform, into: &platforms) }
        try encodeTurns(into: &object)
        var remarks = object.nestedUnkeyedContainer(forKey: .remarks)
        for remark in model.remarks {
            var part = remarks.nestedContainer(keyedBy: PartKey.self)
            try part.encode(remark.id, forKey: .id)
            try part.encode(remark.phrase.text, forKey: .text)
        }
        var messages = object.nestedUnkeyedContainer(forKey: .messages)
        for message in model.messages { try encode(message, into: &messages) }
        try encodeOutlook(into: &object)
    }

    private func encodeTurns(into object: inout KeyedEncodingContainer<Key>) throws {
        var waves = object.nestedUnkeyedContainer(forKey: .waves)
        for wave in model.waves {
            var part = waves.nestedContainer(keyedBy: TurnKey.self)
            try part.encode(wave.opens.map(UTCTime.text), forKey: .opens)
            try part.encode(wave.zones, forKey: .zones)
            try part.encode(wave.people, forKey: .people)
            try part.encode(wave.isTooLate, forKey: .tooLate)
        }
        try object.encode(model.next?.coming.first.map(UTCTime.text), forKey: .nextStart)
        try object.encodeIfPresent(
            model.next?.sentEarly.map(UTCTime.text), forKey: .sentEarly)
        guard let fallback = model.fallback else { return try object.encodeNil(forKey: .fallback) }
        var part = object.nestedContainer(keyedBy: TurnKey.self, forKey: .fallback)
        try part.encode(fallback.after / .seconds(1), forKey: .after)
        try part.encode(fallback.message, forKey: .message)
        try part.encode(fallback.people, forKey: .people)
    }

    private func encodeOutlook(into object: inout KeyedEncodingContainer<Key>) throws {
        let outlook = model.outlook
        var now = object.nestedContainer(keyedBy: NowKey.self, forKey: .now)
        try now.encode(outlook.action, forKey: .action)
        try now.encode(outlook.run?.id.text, forKey: .run)
        try now.encode(outlook.run?.state.rawValue, forKey: .state)
        try now.encode(outlook.deliveries, forKey: .deliveries)
        try now.encode(outlook.capped, forKey: .capped)
        try now.encode(outlook.changed, forKey: .changedSince)
    }

    /// Leaves out platforms without a request.
    private func encode(
        _ platform: PreviewPlatform, into array: inout any UnkeyedEncodingContainer
    ) throws {
        guard let request = platform.request else { return }
        var object = array.nestedContainer(keyedBy: PlatformKey.self)
        try object.encode(platform.platform.rawValue, forKey: .platform)
        try object.encode(request.method, forKey: .method)
        try object.encode(request.url, forKey: .url)
        try object.encode(PreviewRequestParts.fields(of: request), forKey: .headers)
        try object.encode(PreviewRequestParts(request).body, forKey: .body)
        try object.encode(platform.worstBytes, forKey: .bytes)
        try object.encode(platform.limit, forKey: .limit)
    }

    private func encode(
        _ message: PreviewMessage, into array: inout any UnkeyedEncodingContainer
    ) throws {
        var object = array.nestedContainer(keyedBy: PartKey.self)
        try object.encode(message.language?.text, forKey: .language)
        try object.encode(message.people, forKey: .people)
        try object.encode(message.person?.text, forKey: .user)
        try object.encode(message.defaults, forKey: .defaults)
        var appearances = object.nestedUnkeyedContainer(forKey: .appearances)
        for appearance in message.appearances {
            var part = appearances.nestedContainer(keyedBy: PartKey.self)
            try part.encode(appearance.platforms.map(\.rawValue), forKey: .platforms)
            try part.encode(appearance.title, forKey: .title)
            try part.encode(appearance.message, forKey: .message)
            try part.encode(appearance.placeholder, forKey: .placeholder)
        }
        try object.encode(message.type, forKey: .type)
        try object.encode(message.link, forKey: .link)
        try object.encode(
            Dictionary(message.data.map { ($0.key, $0.value) }) { $1 }, forKey: .data)
        guard let content = message.content else {
            try object.encodeNil(forKey: .content)
            return
        }
        var fetched = object.nestedContainer(keyedBy: PartKey.self, forKey: .content)
        switch content {
        case .text(let text): try fetched.encode(text, forKey: .text)
        case .url(let address): try fetched.encode(address, forKey: .url)
        case .file(let file):
            try fetched.encode(file.path, forKey: .file)
            try fetched.encode(file.mediaType, forKey: .mediaType)
            try fetched.encode(file.bytes.count, forKey: .bytes)
        }
    }
}
