import CampaignCore
import NIOCore

struct LaneConnections {
    /// The id of a connection, which is reused after the connection's channel is closed.
    typealias ID = Int

    /// A push that was started but has no result yet.
    struct Flight {
        let page: OpenPages.ID
        let index: Int
        let number: Int
        let platform: Platform
        /// The deadline for the response, including the response to a second request.
        let deadline: NIODeadline
        let trackingID: TrackingID
        var requests = 0
        var token = 0
    }

    struct Opening {
        /// The push; nil if it has ended in the meantime.
        var flight: Flight?
        /// The deadline for the TLS handshake.
        let deadline: NIODeadline
        /// Whether the connection is established and the TLS handshake has started.
        var isMade = false
    }

    enum State {
        /// No connection has this id.
        case none
        case opening(Opening)
        /// The connection is being opened but is no longer needed.
        case unwanted
        case idle(since: NIODeadline)
        case busy(Flight)
        /// The channel of the connection is closing.
        case closing
    }

    private var states: [State] = []
    private var unused: [ID] = []
    /// The connections without a request; the most recently used connection is the last.
    private var idle: [ID] = []

    private(set) var openings = 0
    /// The number of connections that can carry requests.
    private(set) var established = 0
    private(set) var channels = 0

    var ids: Range<ID> { states.indices }

    var hasIdle: Bool { !idle.isEmpty }

    subscript(id: ID) -> State { states[id] }

    mutating func open(_ opening: Opening) -> ID {
        let id = unused.popLast() ?? states.count
        if id == states.count { states.append(.none) }
        move(id, to: .opening(opening))
        return id
    }

    mutating func takeIdle() -> ID? {
        idle.popLast()
    }

    func unused(for time: TimeAmount, _ now: NIODeadline) -> [ID] {
        idle.filter {
            guard case .idle(let since) = states[$0] else { return false }
            return since + time <= now
        }
    }

    mutating func move(_ id: ID, to state: State) {
        if case .idle = states[id], case .closing = state { idle.removeAll { $0 == id } }
        if case .idle = state { idle.append(id) }
        count(states[id], -1)
        count(state, 1)
        states[id] = state
    }

    /// Removes a connection whose channel is closed.
    mutating func release(_ id: ID) {
        move(id, to: .none)
        unused.append(id)
    }

    private mutating func count(_ state: State, _ step: Int) {
        switch state {
        case .none, .unwanted: break
        case .opening(let opening):
            openings += step
            if opening.isMade { channels += step }
        case .idle, .busy:
            established += step
            channels += step
        case .closing: channels += step
        }
    }
}
