/// The rules of Google's legacy push service, which converted values in `data` to strings.
enum GCMRules {
    static func problem(in payload: JSONObject) -> String? {
        if payload.has("message") {
            return "The payload is in the FCM v1 format; a legacy payload has no message object."
        }
        if let target = ["to", "registration_ids", "condition"].first(where: payload.has) {
            return "The payload contains \(target), but the hub sets the target."
        }
        guard payload.has("data") || payload.has("notification") else {
            return "The payload has neither data nor notification."
        }
        let wrong = ["data", "notification"].first { payload.has($0) && payload.object($0) == nil }
        return wrong.map { "\($0) is not a JSON object." }
    }
}
