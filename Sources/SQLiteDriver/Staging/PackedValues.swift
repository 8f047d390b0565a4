import CampaignCore

/// A person's language, time zone and values as one blob, each after its length plus one in LEB128,
/// or 0 for nil.
enum PackedValues {
    /// nil if there are none.
    static func pack(_ language: LanguageTag?, zone: String?, _ values: [String?]) -> [UInt8]? {
        if values.isEmpty, language == nil, zone == nil { return nil }
        var bytes: [UInt8] = []
        append(language?.text, to: &bytes)
        append(zone, to: &bytes)
        for value in values { append(value, to: &bytes) }
        return bytes
    }

    private static func append(_ value: String?, to bytes: inout [UInt8]) {
        var length = value.map { $0.utf8.count + 1 } ?? 0
        while length > 127 {
            bytes.append(UInt8(length & 127) | 128)
            length >>= 7
        }
        bytes.append(UInt8(length))
        bytes.append(contentsOf: value?.utf8 ?? "".utf8)
    }

    static func unpack(
        _ bytes: [UInt8]?
    ) -> (language: LanguageTag?, zone: String?, values: [String?]) {
        guard let bytes else { return (nil, nil, []) }
        var position = 0
        let language = text(in: bytes, at: &position).map { LanguageTag(checked: $0) }
        let zone = text(in: bytes, at: &position)
        var values: [String?] = []
        while position < bytes.count { values.append(text(in: bytes, at: &position)) }
        return (language, zone, values)
    }

    /// The zone only; empty bytes mean nil.
    static func zone(in bytes: [UInt8]) -> String? {
        guard !bytes.isEmpty else { return nil }
        var position = 0
        _ = range(in: bytes, at: &position)
        return text(in: bytes, at: &position)
    }

    private static func text(in bytes: [UInt8], at position: inout Int) -> String? {
        range(in: bytes, at: &position).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Returns the next text, or nil, and advances the position.
    private static func range(in bytes: [UInt8], at position: inout Int) -> Range<Int>? {
        var length = 0
        var shift = 0
        while bytes[position] > 127 {
            length |= Int(bytes[position] & 127) << shift
            shift += 7
            position += 1
        }
        length |= Int(bytes[position]) << shift
        position += 1
        guard length > 0 else { return nil }
        let start = position
        position += length - 1
        return start..<position
    }
}

/// Where a person was named, as one number: the line, followed by 12 bits for the file.
enum PackedOrigin {
    static func pack(_ origin: AudienceOrigin) -> Int64 {
        Int64(origin.line) << 12 | Int64(origin.file & 0xFFF)
    }

    static func unpack(_ number: Int64) -> AudienceOrigin {
        AudienceOrigin(file: Int(number & 0xFFF), line: Int(number >> 12))
    }
}
