import CampaignCore
import NIOCore

/// The connections of a lane: what each of them does, and how many do the same.
struct LaneConnections {
    /// Names a connection until its channel is closed; then it can name another one.
    typealias ID = Int

    /// One push that has begun and has no result yet.
    struct Flight {
        let page: OpenPages.ID
        let index: Int
        let number: Int
        let platform: Platform
        /// When its answer has to be there, that to a second request included.
        let deadline: NIODeadline
        let trackingID: TrackingID
        /// Requests that were written.
        var requests = 0
        /// Which token the last request went out with.
        var token = 0
    }

    /// A connection that is being made.
    struct Opening {
        /// The push that goes out over it first; nil when that has ended meanwhile.
        var flight: Flight?
        /// When TLS has to be agreed on.
        let deadline: NIODeadline
        /// Whether the network has made it, and TLS is being agreed on.
        var isMade = false
    }

    /// What a connection does.
    enum State {
        /// No connection has this id.
        case none
        case opening(Opening)
        /// It is being made, and nobody wants it any more.
        case unwanted
        case idle(since: NIODeadline)
        case busy(Flight)
        /// Its channel is ending.
        case closing
    }

    private var states: [State] = []
    /// Ids that name no connection.
    private var unused: [ID] = []
    /// Those without a request; the one that was used last goes first.
    private var idle: [ID] = []

    /// How many are being made.
    private(set) var openings = 0
    /// How many requests can go over, or are going over.
    private(set) var established = 0
    /// How many have a channel that is not closed yet.
    private(set) var channels = 0

    /// All ids that were given so far.
    var ids: Range<ID> { states.indices }

    /// Whether a request could go out at once.
    var hasIdle: Bool { !idle.isEmpty }

    subscript(id: ID) -> State { states[id] }

    /// Begins a connection.
    mutating func open(_ opening: Opening) -> ID {
        let id = unused.popLast() ?? states.count
        if id == states.count { states.append(.none) }
        move(id, to: .opening(opening))
        return id
    }

    /// Takes a connection without a request, which is to be given one.
    mutating func takeIdle() -> ID? {
        idle.popLast()
    }

    /// Connections that have had no request for some time.
    func unused(for time: TimeAmount, _ now: NIODeadline) -> [ID] {
        idle.filter {
            guard case .idle(let since) = states[$0] else { return false }
            return since + time <= now
        }
    }

    /// Gives a connection another state.
    mutating func move(_ id: ID, to state: State) {
        if case .idle = states[id], case .closing = state { idle.removeAll { $0 == id } }
        if case .idle = state { idle.append(id) }
        count(states[id], -1)
        count(state, 1)
        states[id] = state
    }

    /// Forgets a connection, which has no channel any more.
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
