import CampaignCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// JSON as it is sent: on one line, the names in order.
enum CompactJSON {
    /// Writes a value.
    ///
    /// - Parameter value: strings in arrays or dictionaries, which JSON can always carry.
    /// - Returns: the text in UTF-8.
    /// - Throws: ``NotificationError/notJSON`` when the encoder refuses it.
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

/// A JSON object of strings as text.
enum JSONObjectText {
    /// The object, members in the order of their names.
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
