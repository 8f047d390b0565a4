/// The rules of Amazon Device Messaging (Amazon, "Send a Message", request format).
enum ADMRules {
    /// The longest expiry in seconds: 31 days.
    private static let life = 1...2_678_400
    private static let longestConsolidationKey = 64

    static func problem(in payload: JSONObject) -> String? {
        guard let data = payload.object("data") else { return "The payload has no data object." }
        guard data.holdsOnlyStrings else { return "data has a value that is not a string." }
        if payload.has("expiresAfter"),
            !(payload.integer("expiresAfter").map(life.contains) ?? false)
        {
            return "expiresAfter is not a whole number of seconds from 1 to \(life.upperBound)."
        }
        if payload.has("consolidationKey"),
            (payload.string("consolidationKey")?.count ?? .max) > longestConsolidationKey
        {
            return "consolidationKey is not a string of at most \(longestConsolidationKey) "
                + "characters."
        }
        return payload.has("md5") && payload.string("md5") == nil ? "md5 is not a string." : nil
    }
}
