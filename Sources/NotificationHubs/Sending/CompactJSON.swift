import CampaignCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The value as JSON on one line, with sorted names.
enum CompactJSON {
    static func encode(_ value: some Encodable) throws(NotificationError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw .notJSON
        }
    }
}

enum JSONObjectText {
    static func of(_ members: [String: String]) -> String {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (number, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONText.append(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONText.append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return String(decoding: bytes, as: UTF8.self)
    }
}
