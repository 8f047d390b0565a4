enum FCMRules {
    static func problem(in payload: JSONObject) -> String? {
        guard let message = payload.object("message") else {
            return "The content of the payload is not in a message object."
        }
        if payload.keys.contains(where: { $0 != "message" && $0 != "validate_only" }) {
            return "The payload has a member other than message and validate_only."
        }
        if let target = ["token", "topic", "condition"].first(where: message.has) {
            return "message contains \(target), but the hub sets the target."
        }
        let android = message.object("android")
        guard !message.has("android") || android != nil else {
            return "message.android is not a JSON object."
        }
        return dataProblem(in: message, at: "message")
            ?? android.flatMap { dataProblem(in: $0, at: "message.android") }
            ?? android.flatMap(androidProblem)
    }

    private static func dataProblem(in parent: JSONObject, at path: String) -> String? {
        guard parent.has("data") else { return nil }
        guard let data = parent.object("data") else { return "\(path).data is not a JSON object." }
        guard data.holdsOnlyStrings else { return "\(path).data has a value that is not a string." }
        let reserved = data.keys.contains { $0 == "from" || $0.hasPrefix("google.") }
        return reserved
            ? "\(path).data has a reserved key: from, or one that begins with google." : nil
    }

    private static func androidProblem(_ android: JSONObject) -> String? {
        if android.has("priority"),
            !["normal", "high"].contains(android.string("priority")?.lowercased())
        {
            return "message.android.priority is neither normal nor high."
        }
        if android.has("ttl"), !isDuration(android.string("ttl")) {
            return "message.android.ttl is not a duration in seconds such as 3600s."
        }
        return nil
    }

    private static func isDuration(_ text: String?) -> Bool {
        guard let text, text.hasSuffix("s"), let seconds = Double(text.dropLast()) else {
            return false
        }
        return seconds.isFinite && seconds >= 0
    }
}
