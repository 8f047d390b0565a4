package import CampaignCore

/// A notification's texts in addition to type and message, as one blob that is encrypted like the
/// message.
package struct NotificationTexts: Hashable, Sendable {
    package var language: LanguageTag?
    /// The message is not included, because it has a separate column.
    package var texts = Texts<String>()
    package var link: String?
    package var data: [String: String] = [:]
    package var platforms: [Platform: Texts<String>] = [:]

    /// The texts in each version of the format, from version 1, in the order of storage.
    private static let versions: [[TextKey]] = [[.title, .message, .placeholder]]

    package init(_ notification: NewNotification) {
        language = notification.language
        texts = notification.texts.filter { $0 != .message }
        link = notification.link
        data = notification.data
        platforms = notification.platformTexts
    }

    package init(_ bytes: [UInt8]) throws {
        var reader = TextReader(bytes)
        let version = Int(try reader.byte()) - 1
        guard Self.versions.indices.contains(version) else { throw DamagedValue() }
        let keys = Self.versions[version]
        language = try reader.text().map { text in
            guard let tag = LanguageTag(text) else { throw DamagedValue() }
            return tag
        }
        for key in keys where key != .message { texts[key] = try reader.text() }
        link = try reader.text()
        while let key = try reader.text() {
            guard let value = try reader.text() else { throw DamagedValue() }
            data[key] = value
        }
        while let name = try reader.text() {
            guard let platform = Platform(rawValue: name) else { throw DamagedValue() }
            var special = Texts<String>()
            for key in keys { special[key] = try reader.text() }
            platforms[platform] = special
        }
        guard reader.isAtEnd else { throw DamagedValue() }
    }

    /// nil if there are no texts; equal texts give equal bytes.
    package var bytes: [UInt8]? {
        guard
            language != nil || !texts.isEmpty || link != nil || !data.isEmpty
                || !platforms.isEmpty
        else { return nil }
        // The lowest version that can hold all the texts, so that older versions of hubsend can
        // read them.
        let all = platforms.values.reduce(texts) { $1.over($0) }
        let fitting = Self.versions.firstIndex { keys in
            all.filter { !keys.contains($0) }.isEmpty
        }
        guard let version = fitting else {
            preconditionFailure("No version of the format holds all these texts.")
        }
        var writer = TextWriter(UInt8(version + 1))
        let keys = Self.versions[version]
        writer.append(language?.text)
        for key in keys where key != .message { writer.append(texts[key]) }
        writer.append(link)
        for (key, value) in data.sorted(by: { $0.key < $1.key }) {
            writer.append(key)
            writer.append(value)
        }
        writer.append(nil)
        for platform in Platform.allCases {
            guard let special = platforms[platform] else { continue }
            writer.append(platform.rawValue)
            for key in keys { writer.append(special[key]) }
        }
        writer.append(nil)
        return writer.bytes
    }

    /// The texts of a push on a platform; `message` is the default.
    package func pushed(on platform: Platform, message: String?) -> Texts<String> {
        var everywhere = texts
        everywhere.message = message
        return platforms[platform].map { $0.over(everywhere) } ?? everywhere
    }
}

/// Writes texts one after another, each after four big-endian bytes with its length plus one, or 0
/// for nil.
private struct TextWriter {
    private(set) var bytes: [UInt8]

    init(_ version: UInt8) {
        bytes = [version]
    }

    mutating func append(_ text: String?) {
        let length = text.map { $0.utf8.count + 1 } ?? 0
        for shift in stride(from: 24, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: length >> shift))
        }
        bytes += text?.utf8 ?? "".utf8
    }
}

/// Reads what a ``TextWriter`` wrote, without trusting it.
private struct TextReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw DamagedValue() }
        return byte
    }

    mutating func text() throws -> String? {
        var length = 0
        for _ in 0..<4 { length = length << 8 | Int(try byte()) }
        guard length > 0 else { return nil }
        guard length - 1 <= rest.count else { throw DamagedValue() }
        defer { rest = rest.dropFirst(length - 1) }
        return String(decoding: rest.prefix(length - 1), as: UTF8.self)
    }
}
