import Foundation

/// What telemetry says of a notification at a moment.
struct NotificationDetails: Equatable {
    /// How far it has come.
    let state: NotificationState
    /// When its processing began; nil: not yet.
    var start: Date?
    /// When its processing ended; nil: not yet.
    var end: Date?

    /// Finds out how far a notification has come, from the clock alone; nil when it has not progressed yet.
    ///
    /// The pushes themselves go out at once. What telemetry shows of them takes its time as the service's
    /// does: for a third of the delay the notification is not known yet, for the next it is enqueued, for
    /// the last in process.
    ///
    /// - Parameters:
    ///   - record: the notification.
    ///   - now: the hub's time.
    ///   - delay: how long after the send its final state shows.
    init?(of record: NotificationRecord, at now: Date, delay: Duration) {
        guard let sent = record.sent else {
            state = .canceled
            return
        }
        let delay = delay / .seconds(1)
        let elapsed = now.timeIntervalSince(sent)
        // What has been seen as scheduled is not unknown afterwards.
        guard elapsed >= delay / 3 || delay <= 0 || record.wasScheduled else { return nil }
        guard elapsed >= delay * 2 / 3 || delay <= 0 else {
            state = .enqueued
            return
        }
        start = sent + delay * 2 / 3
        guard elapsed >= delay || delay <= 0 else {
            state = .processing
            return
        }
        end = sent + delay
        state = record.tallies.isEmpty ? .noTargetFound : .completed
    }

    /// A notification that waits for its time.
    static let scheduled = NotificationDetails(state: .scheduled)

    private init(state: NotificationState) {
        self.state = state
    }
}

/// How far a notification has come, by the names on the wire (reference, section 5).
enum NotificationState: String, Sendable, Codable {
    case enqueued = "Enqueued"
    case scheduled = "Scheduled"
    case processing = "Processing"
    case completed = "Completed"
    case noTargetFound = "NoTargetFound"
    case canceled = "Canceled"
}

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

    /// The counts of a push service; no element when there are none, since the JavaScript SDK cannot read an empty one.
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
