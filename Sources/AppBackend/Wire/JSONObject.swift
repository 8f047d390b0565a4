import CampaignCore

/// Writes one JSON object; a general encoder costs many times as much, and this runs once a
/// request.
struct JSONObject {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    init() {
        bytes.reserveCapacity(256)
    }

    /// Adds a text; null without one.
    mutating func add(_ key: StaticString, _ text: String?) {
        begin(key)
        if let text {
            JSONText.append(text, to: &bytes)
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
    }

    mutating func add(_ key: StaticString, _ flag: Bool) {
        begin(key)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Adds a number; null without one.
    mutating func add(_ key: StaticString, _ number: Int?) {
        begin(key)
        bytes.append(contentsOf: (number.map(String.init) ?? "null").utf8)
    }

    /// The object, closed.
    var text: [UInt8] { bytes + [UInt8(ascii: "}")] }

    private mutating func begin(_ key: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(key.description, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}
