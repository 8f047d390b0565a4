import CampaignCore

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
