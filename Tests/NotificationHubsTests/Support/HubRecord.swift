import Synchronization

final class HubRecord: Sendable {
    private struct State {
        var requests: [ReceivedRequest] = []
        var tunnels: [String] = []
        var connections = 0
        var open = 0
        var mostOpen = 0
    }

    private let state = Mutex(State())

    var requests: [ReceivedRequest] { state.withLock { $0.requests } }
    var tunnels: [String] { state.withLock { $0.tunnels } }
    var connections: Int { state.withLock { $0.connections } }
    var mostOpen: Int { state.withLock { $0.mostOpen } }

    func connect() {
        state.withLock { $0.connections += 1 }
    }

    func tunnel(_ request: String) {
        state.withLock { $0.tunnels.append(request) }
    }

    /// Counts from 0.
    func begin(_ request: ReceivedRequest) -> Int {
        state.withLock { state in
            state.requests.append(request)
            state.open += 1
            state.mostOpen = max(state.mostOpen, state.open)
            return state.requests.count - 1
        }
    }

    func end() {
        state.withLock { $0.open -= 1 }
    }
}
