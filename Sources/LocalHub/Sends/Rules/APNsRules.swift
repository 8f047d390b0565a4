import HTTPServing

enum APNsRules {
    private static let pushTypes: Set<String> = [
        "alert", "background", "location", "voip", "complication", "fileprovider", "mdm",
        "liveactivity", "pushtotalk", "widgets",
    ]

    /// The first problem of a push, as a sentence; headers must have their plain names.
    ///
    /// Without a push type, the hub chooses a type that fits the payload.
    static func problem(in payload: JSONObject, headers: [String: String]) -> String? {
        guard !payload.has("aps") || payload.object("aps") != nil else {
            return "aps in the payload is not a JSON object."
        }
        // A priority that is not a number is ignored, like any invalid optional header.
        let priority = headers["apns-priority"].flatMap { Int($0) }
        if let priority, ![1, 5, 10].contains(priority) {
            return "apns-priority is \(priority); APNs accepts 1, 5 and 10."
        }
        guard let type = headers["apns-push-type"]?.lowercased() else { return nil }
        guard pushTypes.contains(type) else {
            return "apns-push-type \(ClientText.quoted(type)) is unknown."
        }
        let aps = payload.object("aps")
        let visible = ["alert", "sound", "badge"].first { aps?.has($0) == true }
        return switch type {
        case "background": backgroundProblem(aps, visible: visible, priority: priority)
        case "alert" where visible == nil:
            "A push of type alert requires alert, sound or badge in aps; this push has none of "
                + "them."
        case "alert": extensionProblem(aps)
        default: nil
        }
    }

    /// The reason why no notification service extension would run for a visible push with
    /// `mutable-content`.
    ///
    /// Extensions run only for visible alerts (Apple, "Modifying content in newly delivered
    /// notifications").
    private static func extensionProblem(_ aps: JSONObject?) -> String? {
        guard aps?.integer("mutable-content") == 1, aps?.has("alert") != true else { return nil }
        return "mutable-content requires an alert in aps; without an alert, no notification "
            + "service extension runs."
    }

    private static func backgroundProblem(
        _ aps: JSONObject?, visible: String?, priority: Int?
    ) -> String? {
        if aps?.integer("content-available") != 1 {
            return "A push of type background requires content-available 1 in aps."
        }
        if let visible { return "A push of type background must not have \(visible) in aps." }
        if aps?.integer("mutable-content") == 1 {
            return "A push of type background must not have mutable-content in aps; extensions "
                + "run only for visible alerts."
        }
        return switch priority {
        case nil:
            "A push of type background requires apns-priority 5; without it, APNs assumes 10."
        case 10: "A push of type background must not have apns-priority 10; use 5."
        default: nil
        }
    }
}
