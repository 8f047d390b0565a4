import CampaignCore

/// Where a person was named, as one number: the line, then 12 bits of the file.
enum PackedOrigin {
    static func pack(_ origin: AudienceOrigin) -> Int64 {
        Int64(origin.line) << 12 | Int64(origin.file & 0xFFF)
    }

    static func unpack(_ number: Int64) -> AudienceOrigin {
        AudienceOrigin(file: Int(number & 0xFFF), line: Int(number >> 12))
    }
}
