/// How far a notification has come, by the names on the wire (reference, section 5).
enum NotificationState: String, Sendable, Codable {
    case enqueued = "Enqueued"
    case scheduled = "Scheduled"
    case processing = "Processing"
    case completed = "Completed"
    case noTargetFound = "NoTargetFound"
    case canceled = "Canceled"
}
