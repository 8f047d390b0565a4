/// What Google's legacy push service refused; it turned other values of `data` into strings.
enum GCMRules {
    static func fault(in payload: JSONObject) -> String? {
        if payload.has("message") {
            return "The payload is one of FCM v1; legacy payloads have no message around them."
        }
        if let target = ["to", "registration_ids", "condition"].first(where: payload.has) {
            return "The payload has \(target); the hub fills in the target."
        }
        guard payload.has("data") || payload.has("notification") else {
            return "The payload has neither data nor notification."
        }
        let wrong = ["data", "notification"].first { payload.has($0) && payload.object($0) == nil }
        return wrong.map { "\($0) is not a JSON object." }
    }
}
