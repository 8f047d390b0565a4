import CampaignCore

/// A person's values as one blob: for each a length in LEB128, one more than the bytes that follow it, or 0 for nil.
enum PackedValues {
    /// Packs values; nil when there are none.
    static func pack(_ values: [String?]) -> [UInt8]? {
        if values.isEmpty { return nil }
        var bytes: [UInt8] = []
        for value in values {
            var length = value.map { $0.utf8.count + 1 } ?? 0
            while length > 127 {
                bytes.append(UInt8(length & 127) | 128)
                length >>= 7
            }
            bytes.append(UInt8(length))
            bytes.append(contentsOf: value?.utf8 ?? "".utf8)
        }
        return bytes
    }

    /// Reads back what ``pack(_:)`` wrote.
    static func unpack(_ bytes: [UInt8]?) -> [String?] {
        guard let bytes else { return [] }
        var values: [String?] = []
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
            if length == 0 {
                values.append(nil)
            } else {
                let end = position + length - 1
                values.append(String(decoding: bytes[position..<end], as: UTF8.self))
                position = end
            }
        }
        return values
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
