/// Wakes the service of the scheduled sends when there may be something for it to do.
final class ScheduleAlarm: Sendable {
    /// One element for all rings since the last; for one reader.
    let rings: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation

    /// Makes an alarm that has not rung.
    init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Rings.
    func ring() {
        continuation.yield()
    }
}
