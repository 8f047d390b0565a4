import Glibc
import Synchronization
import TestSupport

final class KillSwitch: Sendable {
    private struct State: Sendable {
        var moment: KillMoment?
        var run: ChildProcess?
    }

    private let state = Mutex(State())

    /// Starts counting, including events before the run is set.
    func arm(for moment: KillMoment) {
        state.withLock { $0 = State(moment: moment) }
    }

    /// Sets the run, which is killed immediately if its moment has passed.
    func give(_ run: ChildProcess) {
        state.withLock { state in
            state.run = run
            killIfDue(&state)
        }
    }

    /// Stops counting, after which nothing is killed.
    func disarm() {
        state.withLock { $0 = State() }
    }

    func wrote(_ times: Int) {
        state.withLock { state in
            guard case .write(let left) = state.moment else { return }
            state.moment = .write(left - times)
            killIfDue(&state)
        }
    }

    func requested() {
        state.withLock { state in
            guard case .request(let left) = state.moment else { return }
            state.moment = .request(left - 1)
            killIfDue(&state)
        }
    }

    func reported(_ times: Int) {
        state.withLock { state in
            guard case .report(let left) = state.moment else { return }
            state.moment = .report(left - times)
            killIfDue(&state)
        }
    }

    private func killIfDue(_ state: inout State) {
        switch state.moment {
        case .write(let left) where left <= 0, .request(let left) where left <= 0,
            .report(let left) where left <= 0:
            state.run?.signal(SIGKILL)
        default:
            break
        }
    }
}
