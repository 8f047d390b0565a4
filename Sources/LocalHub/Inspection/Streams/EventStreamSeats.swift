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
            seats.state.withLock { $0.change(by: -1) }
        }
    }

    private struct State {
        var taken = 0
        var watchers: [AsyncStream<Int>.Continuation] = []

        mutating func change(by difference: Int) {
            taken += difference
            // Under the lock, so that the newest count is the one that is told last.
            watchers.removeAll { watcher in
                if case .terminated = watcher.yield(taken) { true } else { false }
            }
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    /// Makes seats that nobody has taken.
    ///
    /// - Parameter limit: how many there are, at least 1.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many are taken, at first and whenever that changes; who reads slowly misses counts, but never the newest.
    var counts: AsyncStream<Int> {
        let (counts, watcher) = AsyncStream.makeStream(
            of: Int.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            watcher.yield(state.taken)
            state.watchers.append(watcher)
        }
        return counts
    }

    /// Takes a seat.
    ///
    /// - Throws: a 503 when there is none.
    func take() throws(HubFailure) -> Seat {
        let isFree = state.withLock { state in
            guard state.taken < limit else { return false }
            state.change(by: 1)
            return true
        }
        guard isFree else { throw .tooManyStreams }
        return Seat(of: self)
    }
}

extension HubFailure {
    /// As many event streams and waits are open as can be.
    fileprivate static let tooManyStreams = HubFailure(
        status: .serviceUnavailable,
        detail: "The local hub has as many event streams and waits for messages open as it takes; "
            + "close one, or ask for what is new.",
        headers: ["Retry-After": "1"])
}
