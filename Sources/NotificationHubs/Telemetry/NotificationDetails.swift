#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A hub's information about a message; descriptions do not show the body or the URL of the error
/// details.
public struct NotificationDetails: Sendable, Hashable {
    /// The message's id.
    public let id: String

    /// The state of the message.
    public let state: NotificationState

    /// When the hub accepted the message.
    public let enqueueTime: Date?

    /// When the hub started to process the message.
    public let startTime: Date?

    /// When the hub finished processing the message.
    public let endTime: Date?

    /// The body of the message.
    public let body: String?

    /// The tag expression as the hub writes it; nil or empty means all devices.
    public let tags: String?

    /// The push services to which the message was sent, such as `apple`.
    public let targetPlatforms: [String]

    /// The number of devices by push service (a ``NotificationFormat`` value) and outcome (such as
    /// `Success`).
    ///
    /// For an unknown push service, the key is the hub's name for it, in lower case.
    public let outcomeCounts: [String: [String: Int]]

    /// The URL of a file with the push services' errors, which is a secret; this library never
    /// opens it.
    public let pnsErrorDetailsURL: String?

    /// The number of devices of a push service with an outcome, such as `WrongToken`; 0 if the hub
    /// does not report it.
    public func count(of outcome: String, on format: NotificationFormat) -> Int {
        outcomeCounts[format.rawValue]?[outcome] ?? 0
    }
}

extension NotificationDetails: SecretHolder {
    /// The id and the state.
    public var description: String { "NotificationDetails(\(id), \(state))" }

    /// All properties except the body, the tags and the URL of the error details.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "state": state, "enqueueTime": enqueueTime as Any,
                "startTime": startTime as Any, "endTime": endTime as Any,
                "targetPlatforms": targetPlatforms, "outcomeCounts": outcomeCounts,
            ])
    }
}

/// The state of a message; unknown states are preserved.
public struct NotificationState: RawRepresentable, Sendable, Hashable {
    /// The name of the state, as the hub writes it.
    public let rawValue: String

    /// Creates a state from the name that the hub uses.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The hub has accepted the message.
    public static let enqueued = Self(rawValue: "Enqueued")
    /// The message is waiting for its scheduled time.
    public static let scheduled = Self(rawValue: "Scheduled")
    /// The hub is sending the message to the push services.
    public static let processing = Self(rawValue: "Processing")
    /// The hub has sent the message to the push services.
    public static let completed = Self(rawValue: "Completed")
    /// The hub gave up after about 30 minutes.
    public static let abandoned = Self(rawValue: "Abandoned")
    /// No device matches the tags.
    public static let noTargetFound = Self(rawValue: "NoTargetFound")
    /// The message was cancelled.
    public static let canceled = Self(rawValue: "Canceled")
    /// The hub does not know the state.
    public static let unknown = Self(rawValue: "Unknown")
    /// The message was a test send, and its outcome is known.
    public static let detailedStateAvailable = Self(rawValue: "DetailedStateAvailable")
}

extension NotificationState: CustomStringConvertible {
    /// The name of the state, as the hub writes it.
    public var description: String { rawValue }
}

extension NotificationDetails {
    /// Reads a `NotificationDetails` element, whose children can be in any order.
    init(_ root: HubElement) throws(XMLReadingError) {
        guard root.name == "NotificationDetails",
            let id = root.text(of: "NotificationId").flatMap(ForeignText.cleaned)
        else { throw .unexpected }
        self.init(
            id: id,
            state: root.text(of: "State").flatMap(ForeignText.cleaned)
                .map(NotificationState.init(rawValue:)) ?? .unknown,
            enqueueTime: root.text(of: "EnqueueTime").flatMap(ServiceDate.parse),
            startTime: root.text(of: "StartTime").flatMap(ServiceDate.parse),
            endTime: root.text(of: "EndTime").flatMap(ServiceDate.parse),
            body: root.text(of: "NotificationBody"),
            tags: root.text(of: "Tags"),
            targetPlatforms: (root.text(of: "TargetPlatforms") ?? "").split(separator: ",")
                .compactMap { ForeignText.cleaned(String($0)) },
            outcomeCounts: Self.counts(in: root),
            pnsErrorDetailsURL: root.text(of: "PnsErrorDetailsUri"))
    }

    private static let countSuffix = "OutcomeCounts"

    private static func counts(in root: HubElement) -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for element in root.children where element.name.hasSuffix(countSuffix) {
            let prefix = element.name.dropLast(countSuffix.count).lowercased()
            let service = NotificationFormat(installation: prefix)?.rawValue ?? prefix
            for outcome in element.children where outcome.name == "Outcome" {
                guard let name = outcome.text(of: "Name").flatMap(ForeignText.cleaned),
                    let count = outcome.text(of: "Count").flatMap(Int.init), count >= 0
                else { continue }
                let (sum, overflow) = counts[service, default: [:]][name, default: 0]
                    .addingReportingOverflow(count)
                counts[service, default: [:]][name] = overflow ? .max : sum
            }
        }
        return counts
    }
}
