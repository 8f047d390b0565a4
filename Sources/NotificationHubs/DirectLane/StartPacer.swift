import NIOCore

/// Says when the next request may start, so that a rate is kept to and yet reached.
///
/// Long intervals are kept one by one. For short ones a timer comes too late too often, which would
/// cost throughput: their starts keep to a grid, and a start that is late by up to the slack takes
/// nothing from the next. The grid is a little wider than the interval in return, so that no second
/// has more starts than were asked for (one for its edge apart), even one that begins with a late
/// start. More is never made up for: there is no burst after a pause.
struct StartPacer: Sendable {
    /// The lateness that is made up for.
    static let slack = TimeAmount.milliseconds(10)

    /// Pauses are no shorter than this, so that a high rate does not wake the loop for each start.
    static let grain = TimeAmount.microseconds(500)

    /// The next point of the grid.
    private var next = NIODeadline.uptimeNanoseconds(0)

    /// When the next request may start.
    ///
    /// - Parameter interval: the least time between two starts; nil: at once.
    /// - Returns: the instant, possibly long past.
    func earliest(_ interval: Duration?) -> NIODeadline {
        interval == nil ? .uptimeNanoseconds(0) : next
    }

    /// Takes a start.
    ///
    /// - Parameters:
    ///   - interval: the least time to the start after this one; nil: this one does not count.
    ///   - now: the present.
    mutating func start(_ interval: Duration?, now: NIODeadline) {
        guard let interval else { return }
        let step = TimeAmount(interval)
        if step < Self.slack {
            let wider = TimeAmount.nanoseconds(step.nanoseconds + step.nanoseconds / 100 + 1)
            next = max(next, now - Self.slack) + wider
        } else {
            next = now + step
        }
    }
}
