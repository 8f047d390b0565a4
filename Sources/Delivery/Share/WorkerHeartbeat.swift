import CampaignCore
import Synchronization

/// Renews a part of a run twice a second, tells the others what the engine has to tell, and hands their news to the engine.
///
/// The heartbeat and the engine do not wait for each other: it goes on while the engine waits, and while the ledger is away.
final class WorkerHeartbeat: Sendable {
    /// From one beat to the next.
    static let interval: Duration = .milliseconds(500)
    /// How long the ledger may be away before the work ends.
    static let patience: Duration = .seconds(30)

    private enum Wake: Sendable {
        case due, asked, over
    }

    private struct State: Sendable {
        /// The last report; its closed pages are in ``closed``.
        var report = WorkerReport()
        var closed: [Int] = []
        var asked = 0
        /// How many answers that asked for patience the last beat told of.
        var toldComplaints = 0
        /// Whether a beat at once is not needed for more of them: one was asked for already, or the last beat told of new ones.
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
    ///   - report: the report, without closed pages.
    ///   - closed: pages that were done since the last call.
    func tell(_ report: WorkerReport, closed: [Int] = []) {
        state.withLock { state in
            state.report = report
            state.closed += closed
        }
    }

    /// Allows a rate from now on: until ``tell(_:closed:)`` is called, beats tell no lower rate than this one.
    func allow(_ rate: Double) {
        state.withLock { $0.report.rate = max($0.report.rate ?? 0, rate) }
    }

    /// Asks for a beat at once.
    ///
    /// - Returns: a number; news with it, or with a higher one, were asked for after this call.
    func ask() -> Int {
        let number = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        wakes.post(.asked)
        return number
    }

    /// Tells the others that the hub asks for patience: the first time at once, then with each beat as long as it goes on.
    ///
    /// - Parameter traffic: all answers so far, even those that are not written down yet.
    func slowDown(_ traffic: [Platform: PlatformTraffic]) {
        let isNews = state.withLock { state in
            state.report.traffic = traffic
            defer { state.isTellingComplaints = true }
            return !state.isTellingComplaints
        }
        if isNews { wakes.post(.asked) }
    }

    /// Has all processes that work on the run pause, by a beat at once.
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
                    // It may come back until then; the lease limits what is sent meanwhile.
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

    /// Tells the ledger once; closed pages are told again until the ledger knows of them.
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
