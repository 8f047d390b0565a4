import Foundation

struct NotificationDetails: Equatable {
    let state: NotificationState
    /// When sending started; nil if it has not started.
    var start: Date?
    /// When sending ended; nil if it has not ended.
    var end: Date?

    /// The state of a notification, which depends only on the clock; nil while it is unknown.
    ///
    /// Pushes are sent immediately, but telemetry lags by the configured delay: the state is
    /// unknown for the first third, then enqueued, then processing.
    init?(of record: NotificationRecord, at now: Date, delay: Duration) {
        guard let sent = record.sent else {
            state = .canceled
            return
        }
        let delay = delay / .seconds(1)
        let elapsed = now.timeIntervalSince(sent)
        // A notification that was shown as scheduled never becomes unknown again.
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

    static let scheduled = NotificationDetails(state: .scheduled)

    private init(state: NotificationState) {
        self.state = state
    }
}

enum NotificationState: String, Sendable, Codable {
    case enqueued = "Enqueued"
    case scheduled = "Scheduled"
    case processing = "Processing"
    case completed = "Completed"
    case noTargetFound = "NoTargetFound"
    case canceled = "Canceled"
}

/// The telemetry document: one line, with its elements in the order that .NET requires.
struct NotificationDetailsDocument {
    let record: NotificationRecord
    let details: NotificationDetails
    let location: String

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

    /// The elements of the counts, in order; .NET refers to `gcm` as FCM.
    private static let countElements: [LocalHubPlatform] = {
        let first: [LocalHubPlatform] = [.apns, .mpns, .wns, .gcm, .adm, .fcm]
        return first + LocalHubPlatform.allCases.filter { !first.contains($0) }
    }()

    /// The target platforms; templates have a separate name.
    private var targetPlatforms: String? {
        if let platform = record.platform { return platform.format }
        guard details.end != nil else { return nil }
        let reached = LocalHubPlatform.allCases.filter { platform in
            record.tallies.contains { $0.platform == platform }
        }
        return reached.isEmpty ? nil : reached.map { $0.format + "template" }.joined(separator: ",")
    }

    /// The element is omitted if there are no counts, because the JavaScript SDK cannot read an
    /// empty element.
    private func counts(_ platform: LocalHubPlatform) -> String {
        let tallies = record.tallies.filter { $0.platform == platform }
        guard !tallies.isEmpty else { return "" }
        let outcomes = tallies.map { tally in
            "<Outcome>" + XMLText.element("Name", tally.outcome.rawValue)
                + XMLText.element("Count", String(tally.count)) + "</Outcome>"
        }
        let name = platform.installation.prefix(1).uppercased() + platform.installation.dropFirst()
        return "<\(name)OutcomeCounts>\(outcomes.joined())</\(name)OutcomeCounts>"
    }

    private func optional(_ name: String, _ text: String?) -> String {
        text.map { XMLText.element(name, $0) } ?? ""
    }

    private static func text(_ time: Date) -> String {
        time.formatted(.iso8601)
    }
}
