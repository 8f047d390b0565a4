import CampaignCore

/// An array of `{"id","severity","title","group","why","wrong","right"}`.
package enum RulesJSON {
    package static func text(_ rules: [Rule]) throws -> String {
        let rows = rules.map { rule -> JSONObject in
            [
                "id": rule.id, "severity": rule.severity.rawValue, "title": rule.title,
                "group": Rule.groups.first { $0.rules.contains(rule) }?.title ?? "",
                "why": rule.why, "wrong": rule.wrong.shown.joined(separator: "\n"),
                "right": rule.right.shown.joined(separator: "\n"),
            ]
        }
        return String(decoding: try rows.document(), as: UTF8.self)
    }
}
