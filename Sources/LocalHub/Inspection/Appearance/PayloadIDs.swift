/// Finds the ids of payloads in a push.
enum PayloadIDs {
    /// The members that name a payload (reference on the app's backend, sections 4 and 5), in the order shown.
    private static let names = ["secureId", "richId"]
    /// The most characters of an id.
    private static let longest = 128
    /// How long the ids of hubsend are.
    private static let ownLength = 26

    /// The ids among the members of an object: texts of a sane length.
    static func ids(in object: JSONObject) -> [MessageAppearance.PayloadID] {
        names.compactMap { name in
            guard let value = object.string(name), isSane(value) else { return nil }
            return MessageAppearance.PayloadID(name: name, value: value)
        }
    }

    /// The id that a whole body is, as in the raw WNS push of a secure campaign; nil when it is none.
    static func id(of body: [UInt8]) -> MessageAppearance.PayloadID? {
        let isOwn =
            body.count == ownLength
            && body.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
        guard isOwn else { return nil }
        return MessageAppearance.PayloadID(
            name: names[0], value: String(decoding: body, as: UTF8.self))
    }

    private static func isSane(_ value: String) -> Bool {
        (1...longest).contains(value.utf8.count)
            && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
