import HTTPTypes
import Synchronization

/// How many event streams, and waits for a message, may be open at a time.
final class EventStreamSeats: Sendable {
    /// The right to one stream or wait; free again with the last reference to it.
    final class Seat: Sendable {
        private let seats: EventStreamSeats

        fileprivate init(of seats: EventStreamSeats) {
            self.seats = seats
        }

        deinit {
            seats.taken.withLock { $0 -= 1 }
        }
    }

    private let limit: Int
    private let taken = Mutex(0)

    /// Makes seats that nobody has taken.
    ///
    /// - Parameter limit: how many there are, at least 1.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a seat.
    ///
    /// - Throws: a 503 when there is none.
    func take() throws(HubFailure) -> Seat {
        let isFree = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        guard isFree else { throw .tooManyStreams }
        return Seat(of: self)
    }
}

extension HubFailure {
    /// As many event streams and waits are open as can be.
    static let tooManyStreams = HubFailure(
        status: .serviceUnavailable,
        detail: "The local hub has as many event streams and waits for messages open as it takes; "
            + "close one, or ask for what is new.",
        headers: ["Retry-After": "1"])
}
