import CampaignCore
import Synchronization

/// Renews a part of a run twice a second, tells what the engine has to tell, and hands what the others say over to it.
///
/// It goes on while the engine waits for the ledger, and while the ledger is away; neither waits for the other.
final class WorkerHeartbeat: Sendable {
    /// From one beat to the next.
    static let interval: Duration = .milliseconds(500)
    /// How long the ledger may be away before the work ends.
    static let patience: Duration = .seconds(30)

    private enum Wake: Sendable {
        case due, asked, over
    }

    private struct State: Sendable {
        /// Its pages are in ``closed``.
        var report = WorkerReport()
        var closed: [Int] = []
        var asked = 0
        /// Answers of the hub that asked for patience, of which the last beat told.
        var toldComplaints = 0
        /// Whether the next beat tells of more of them anyway: it was asked for, or the last one did too.
        var isTellingComplaints = false
    }

    private let part: any RunPart
    private let timeline: Timeline
    private let events: EventQueue<RunEvent>
    private let wakes = EventQueue<Wake>()
    private let state = Mutex(State())

    init(_ part: any RunPart, _ timeline: Timeline, _ events: EventQueue<RunEvent>) {
        self.part = part
        self.timeline = timeline
        self.events = events
    }

    /// Changes what the next beat tells.
    ///
    /// - Parameters:
    ///   - report: without pages.
    ///   - closed: pages that are done with since the last call.
    func tell(_ report: WorkerReport, closed: [Int] = []) {
        state.withLock { state in
            state.report = report
            state.closed += closed
        }
    }

    /// Has the next beats tell no lower rate than this one, which may be kept to from now on, until ``tell(_:closed:)``.
    func allow(_ rate: Double) {
        state.withLock { $0.report.rate = max($0.report.rate ?? 0, rate) }
    }

    /// Has the next beat at once.
    ///
    /// - Returns: a number; news that have it, or a higher one, were asked for later than this.
    func ask() -> Int {
        let number = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        wakes.post(.asked)
        return number
    }

    /// Has the others hear at once that the hub asks for patience; as long as it goes on to, with each beat.
    ///
    /// - Parameter traffic: all that has come back, also what is not written down yet.
    func slowDown(_ traffic: [Platform: PlatformTraffic]) {
        let isNews = state.withLock { state in
            state.report.traffic = traffic
            defer { state.isTellingComplaints = true }
            return !state.isTellingComplaints
        }
        if isNews { wakes.post(.asked) }
    }

    /// Has all who work on the run pause, with the next beat, at once.
    func raise(_ fault: String) {
        state.withLock { $0.report.fault = fault }
        wakes.post(.asked)
    }

    /// Goes on until the task is cancelled, or the part is lost.
    func beat() async {
        var alarm = Alarm(timeline) { [wakes] in wakes.post(.due) }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            var failing: Duration?
            while !Task.isCancelled {
                let start = timeline.now
                let number = state.withLock(\.asked)
                do {
                    let news = try await exchange()
                    failing = nil
                    events.post(.news(news, asked: number))
                } catch let error as RunPartLost {
                    return events.post(.partFailed(error))
                } catch {
                    if Task.isCancelled { return }
                    let since = failing ?? start
                    failing = since
                    // Until then it may come back; what is sent meanwhile is bounded by the lease.
                    guard timeline.now - since < Self.patience else {
                        return events.post(.partFailed(error))
                    }
                }
                let now = timeline.now
                alarm.set(for: max(start + Self.interval, now), at: now)
                _ = await wakes.receive()
            }
        } onCancel: {
            wakes.post(.over)
        }
    }

    /// Tells the ledger, once; pages stay to be told of until it knows.
    @discardableResult
    func exchange() async throws -> RunNews {
        let report = state.withLock { state in
            var report = state.report
            report.closed = state.closed
            let complaints = report.traffic.values.reduce(0) { $0 + $1.complaints }
            if complaints == state.toldComplaints { state.isTellingComplaints = false }
            state.toldComplaints = complaints
            return report
        }
        let news = try await part.exchange(report)
        state.withLock { $0.closed.removeFirst(report.closed.count) }
        return news
    }
}
