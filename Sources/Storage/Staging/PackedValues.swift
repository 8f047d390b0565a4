import CampaignCore

/// A person's language and values as one blob: for each a length in LEB128, one more than the bytes that follow it, or 0 for nil.
enum PackedValues {
    /// Packs a language and values; nil when there is neither.
    static func pack(_ language: LanguageTag?, _ values: [String?]) -> [UInt8]? {
        if values.isEmpty, language == nil { return nil }
        var bytes: [UInt8] = []
        append(language?.text, to: &bytes)
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

    /// Reads back what ``pack(_:_:)`` wrote.
    static func unpack(_ bytes: [UInt8]?) -> (language: LanguageTag?, values: [String?]) {
        guard let bytes else { return (nil, []) }
        var language: LanguageTag?
        var values: [String?] = []
        var isFirst = true
        var position = 0
        while position < bytes.count {
            var length = 0
            var shift = 0
            while bytes[position] > 127 {
                length |= Int(bytes[position] & 127) << shift
                shift += 7
                position += 1
            }
            length |= Int(bytes[position]) << shift
            position += 1
            var value: String?
            if length > 0 {
                let end = position + length - 1
                value = String(decoding: bytes[position..<end], as: UTF8.self)
                position = end
            }
            if isFirst {
                language = value.map { LanguageTag(checked: $0) }
            } else {
                values.append(value)
            }
            isFirst = false
        }
        return (language, values)
    }
}

/// Where a person was named, as one number: the line, then 12 bits of the file.
enum PackedOrigin {
    static func pack(_ origin: AudienceOrigin) -> Int64 {
        Int64(origin.line) << 12 | Int64(origin.file & 0xFFF)
    }

    static func unpack(_ number: Int64) -> AudienceOrigin {
        AudienceOrigin(file: Int(number & 0xFFF), line: Int(number >> 12))
    }
}
