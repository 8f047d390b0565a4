import CampaignCore
import Synchronization

/// Renews a part twice a second and exchanges news with the others.
///
/// It never waits for the engine, and the engine never waits for it, even while the ledger is
/// unavailable.
final class WorkerHeartbeat: Sendable {
    static let interval: Duration = .milliseconds(500)
    /// How long the ledger may be unavailable.
    static let patience: Duration = .seconds(30)

    private struct State: Sendable {
        /// The next report, without its closed pages, which are in ``closed``.
        var report = WorkerReport()
        var closed: [Int] = []
        var asked = 0
        /// How many throttled answers the last heartbeat reported.
        var reportedThrottled = 0
        /// Whether an immediate heartbeat is pending or the last heartbeat reported new throttling.
        var isReportingThrottling = false
    }

    private let part: any RunPart
    private let timeline: Timeline
    private let events: EventQueue<RunEvent>
    private let wakes = EventQueue<Void>()
    private let state = Mutex(State())

    init(_ part: any RunPart, _ timeline: Timeline, _ events: EventQueue<RunEvent>) {
        self.part = part
        self.timeline = timeline
        self.events = events
    }

    /// Changes the next report.
    ///
    /// - Parameter closed: the pages that were finished since the last call.
    func tell(_ report: WorkerReport, closed: [Int] = []) {
        state.withLock { state in
            state.report = report
            state.closed += closed
        }
    }

    /// Makes heartbeats report at least this rate until ``tell(_:closed:)`` is called.
    func allow(_ rate: Double) {
        state.withLock { $0.report.rate = max($0.report.rate ?? 0, rate) }
    }

    /// Requests an immediate heartbeat; news with the returned number or a higher number answers
    /// this request.
    func ask() -> Int {
        let number = state.withLock { state in
            state.asked += 1
            return state.asked
        }
        wakes.post(())
        return number
    }

    /// Reports throttling, immediately the first time and then with each heartbeat.
    ///
    /// - Parameter traffic: all answers so far, including those not recorded yet.
    func slowDown(_ traffic: [Platform: PlatformTraffic]) {
        let isNews = state.withLock { state in
            state.report.traffic = traffic
            defer { state.isReportingThrottling = true }
            return !state.isReportingThrottling
        }
        if isNews { wakes.post(()) }
    }

    /// Pauses all processes with an immediate heartbeat.
    func raise(_ tooManyFailures: String) {
        state.withLock { $0.report.tooManyFailures = tooManyFailures }
        wakes.post(())
    }

    /// Runs until the task is cancelled or the part is lost.
    func beat() async {
        var alarm = Alarm(timeline) { [wakes] in wakes.post(()) }
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
                    // Until then, the ledger may become available again; the lease limits what is
                    // sent in the meantime.
                    guard timeline.now - since < Self.patience else {
                        return events.post(.partFailed(error))
                    }
                }
                let now = timeline.now
                alarm.set(for: max(start + Self.interval, now), at: now)
                _ = await wakes.receive()
            }
        } onCancel: {
            wakes.post(())
        }
    }

    /// Sends one heartbeat.
    ///
    /// Closed pages are reported again until the ledger has them.
    @discardableResult
    func exchange() async throws -> RunNews {
        let report = state.withLock { state in
            var report = state.report
            report.closed = state.closed
            let throttled = report.traffic.values.reduce(0) { $0 + $1.throttled }
            if throttled == state.reportedThrottled { state.isReportingThrottling = false }
            state.reportedThrottled = throttled
            return report
        }
        let news = try await part.exchange(report)
        state.withLock { $0.closed.removeFirst(report.closed.count) }
        return news
    }
}
