import Foundation

/// The answer to a question for telemetry: one line, elements in the order that .NET insists on
/// (reference, section 5).
struct NotificationDetailsDocument {
    /// The notification.
    let record: NotificationRecord
    /// How far it has come.
    let details: NotificationDetails
    /// The address of the telemetry.
    let location: String

    /// The document.
    var xml: String {
        let counts = details.end == nil ? "" : Self.countElements.map(counts).joined()
        return "<NotificationDetails \(XMLText.serviceNamespaces)>"
            + XMLText.element("NotificationId", record.id)
            + XMLText.element("Location", location)
            + XMLText.element("State", details.state.rawValue)
            + XMLText.element("EnqueueTime", Self.text(record.enqueued))
            + optional("StartTime", details.start.map(Self.text))
            + optional("EndTime", details.end.map(Self.text))
            + XMLText.element("NotificationBody", String(decoding: record.body, as: UTF8.self))
            + optional("Tags", record.tags)
            + optional("TargetPlatforms", targetPlatforms)
            + counts + "</NotificationDetails>"
    }

    /// The elements of the counts in their order.
    ///
    /// `FcmOutcomeCounts` is not among them: what .NET calls FCM travels as `gcm`.
    private static let countElements: [(name: String, platform: LocalHubPlatform)] = [
        ("ApnsOutcomeCounts", .apns), ("MpnsOutcomeCounts", .mpns), ("WnsOutcomeCounts", .wns),
        ("GcmOutcomeCounts", .gcm), ("AdmOutcomeCounts", .adm), ("FcmV1OutcomeCounts", .fcm),
        ("BaiduOutcomeCounts", .baidu), ("BrowserOutcomeCounts", .browser),
        ("XiaomiOutcomeCounts", .xiaomi),
    ]

    /// The platforms that it goes to, templates by a name of their own; nil when none is known.
    private var targetPlatforms: String? {
        if let platform = record.platform { return platform.format }
        guard details.end != nil else { return nil }
        let reached = LocalHubPlatform.allCases.filter { platform in
            record.tallies.contains { $0.platform == platform }
        }
        return reached.isEmpty ? nil : reached.map { $0.format + "template" }.joined(separator: ",")
    }

    /// The counts of a push service; nothing at all when there are none, since JS cannot read an empty element.
    private func counts(_ element: (name: String, platform: LocalHubPlatform)) -> String {
        let tallies = record.tallies.filter { $0.platform == element.platform }
        guard !tallies.isEmpty else { return "" }
        let outcomes = tallies.map { tally in
            "<Outcome>" + XMLText.element("Name", tally.outcome.rawValue)
                + XMLText.element("Count", String(tally.count)) + "</Outcome>"
        }
        return "<\(element.name)>\(outcomes.joined())</\(element.name)>"
    }

    private func optional(_ name: String, _ text: String?) -> String {
        text.map { XMLText.element(name, $0) } ?? ""
    }

    private static func text(_ time: Date) -> String {
        time.formatted(.iso8601)
    }
}
