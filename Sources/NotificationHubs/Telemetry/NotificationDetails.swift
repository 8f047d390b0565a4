#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A hub's information about a message; no description shows the body or the URL of the error
/// details.
public struct NotificationDetails: Sendable, Hashable {
    /// The message's id.
    public let id: String

    /// The state of the message.
    public let state: NotificationState

    /// When the hub accepted it.
    public let enqueueTime: Date?

    /// When the hub started to process it.
    public let startTime: Date?

    /// When the hub finished processing it.
    public let endTime: Date?

    /// The message.
    public let body: String?

    /// The tag expression as the hub writes it; nil or empty means everybody.
    public let tags: String?

    /// The push services that it was sent to, such as `apple`.
    public let targetPlatforms: [String]

    /// The number of devices by push service, as in ``NotificationFormat``, and outcome, such as
    /// `Success`.
    ///
    /// An unknown push service has the hub's name for it in lower case.
    public let outcomeCounts: [String: [String: Int]]

    /// The URL of the push services' errors: a secret; this library never opens it.
    public let pnsErrorDetailsURL: String?

    /// The number of devices of a push service with an outcome, such as `WrongToken`; 0 if the hub
    /// does not say.
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

/// The state of a message; unknown states are kept.
public struct NotificationState: RawRepresentable, Sendable, Hashable {
    /// The hub's word.
    public let rawValue: String

    /// Creates a state from the hub's word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The hub has it.
    public static let enqueued = Self(rawValue: "Enqueued")
    /// It waits for its scheduled time.
    public static let scheduled = Self(rawValue: "Scheduled")
    /// It is being handed to the push services.
    public static let processing = Self(rawValue: "Processing")
    /// It was handed to the push services.
    public static let completed = Self(rawValue: "Completed")
    /// The hub gave up, after about 30 minutes.
    public static let abandoned = Self(rawValue: "Abandoned")
    /// No device matches its tags.
    public static let noTargetFound = Self(rawValue: "NoTargetFound")
    /// It was cancelled.
    public static let canceled = Self(rawValue: "Canceled")
    /// The hub does not know.
    public static let unknown = Self(rawValue: "Unknown")
    /// It was a test send, and its outcome is known.
    public static let detailedStateAvailable = Self(rawValue: "DetailedStateAvailable")
}

extension NotificationState: CustomStringConvertible {
    /// The hub's word.
    public var description: String { rawValue }
}

extension NotificationDetails {
    /// Reads `NotificationDetails`, its elements in any order.
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
