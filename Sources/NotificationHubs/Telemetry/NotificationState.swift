/// How far a message has come (reference: section 5); a word that is not known here is kept.
public struct NotificationState: RawRepresentable, Sendable, Hashable {
    /// The hub's word.
    public let rawValue: String

    /// Keeps a word.
    ///
    /// - Parameter rawValue: the hub's word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The hub has it.
    public static let enqueued = Self(rawValue: "Enqueued")
    /// It waits for its time.
    public static let scheduled = Self(rawValue: "Scheduled")
    /// It is being handed to the push services.
    public static let processing = Self(rawValue: "Processing")
    /// It was handed to the push services.
    public static let completed = Self(rawValue: "Completed")
    /// The hub gave up, after about 30 minutes.
    public static let abandoned = Self(rawValue: "Abandoned")
    /// No device fits its tags.
    public static let noTargetFound = Self(rawValue: "NoTargetFound")
    /// It was taken back.
    public static let canceled = Self(rawValue: "Canceled")
    /// The hub does not know.
    public static let unknown = Self(rawValue: "Unknown")
    /// It was a test send, whose outcome is there.
    public static let detailedStateAvailable = Self(rawValue: "DetailedStateAvailable")
}

extension NotificationState: CustomStringConvertible {
    /// The hub's word.
    public var description: String { rawValue }
}
