import CampaignCore
import Foundation
import Synchronization

/// A worker's health and figures: whether it can reach the store, and what it is doing.
final class WorkerFigures: Sendable {
    /// A worker is healthy if it reached the store within this time.
    private static let healthyInterval: Duration = .seconds(30)
    /// The maximum number of campaigns whose last runs are reported.
    private static let mostCampaigns = 1_000

    private enum Answer: String, CaseIterable {
        case accepted, rejected, retry, unknown, stop

        init?(_ disposition: PushDisposition) {
            switch disposition {
            case .accepted: self = .accepted
            case .rejected: self = .rejected
            case .retry: self = .retry
            case .unknown: self = .unknown
            case .stop: self = .stop
            case .notSent: return nil
            }
        }
    }

    private struct State {
        /// When the store was last reached; nil if it has not been reached.
        var reached: Duration?
        /// How many times the worker has joined a run.
        var joined = 0
        var lost = 0
        var requests = 0
        var answers: [Answer: Int] = [:]
        /// The runs that the worker takes part in, each with its part in the store, or nil if the
        /// part is not known yet.
        var parts: [RunID: RunWorker?] = [:]
        var campaigns: [String: MetricsText.Entry] = [:]
    }

    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    init(clock: any Clock<Duration> = ContinuousClock()) {
        now = Self.reader(clock)
    }

    private static func reader(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }

    // MARK: Events

    func noteStore() {
        state.withLock { $0.reached = now() }
    }

    func begin(_ run: RunID) {
        state.withLock { state in
            state.joined += 1
            state.parts[run] = .some(nil)
        }
    }

    func end(_ run: RunID) {
        state.withLock { $0.parts[run] = nil }
    }

    /// Records the worker's part in a run, as read from the store.
    ///
    /// If the part is new, the earlier part was lost and the worker has joined again.
    func note(_ part: RunWorker?, of run: RunID) {
        guard let part else { return }
        state.withLock { state in
            guard let before = state.parts[run] else { return }
            if let before, before.id != part.id { state.lost += 1 }
            state.parts[run] = part
        }
    }

    func note(_ results: [PushResult]) {
        state.withLock { state in
            for result in results {
                state.requests += result.requests
                if let answer = Answer(result.disposition) {
                    state.answers[answer, default: 0] += 1
                }
            }
        }
    }

    func note(_ figures: RunFigures, of campaign: String) {
        state.withLock { state in
            if state.campaigns.count >= Self.mostCampaigns, state.campaigns[campaign] == nil {
                let oldest = state.campaigns.min {
                    ($0.value.figures?.started ?? .distantPast)
                        < ($1.value.figures?.started ?? .distantPast)
                }
                if let oldest { state.campaigns[oldest.key] = nil }
            }
            state.campaigns[campaign] = MetricsText.Entry(figures: figures)
        }
    }

    // MARK: Output

    /// Whether the worker can reach the store, and a line of text that says so.
    var health: (isHealthy: Bool, text: String) {
        let (reached, parts) = state.withLock { ($0.reached, $0.parts.count) }
        guard let reached else { return (false, "The store has not been reached yet.\n") }
        let silence = now() - reached
        guard silence <= Self.healthyInterval else {
            return (
                false,
                "The store has not been reached for \(silence.components.seconds) seconds; the worker keeps trying.\n"
            )
        }
        return (true, "The worker takes part in \(Figures.count(parts, "run", "runs")).\n")
    }

    /// All figures for Prometheus, in its text exposition format, version 0.0.4.
    var metrics: String {
        let state = state.withLock(\.self)
        var text = ""
        func add(_ name: String, _ kind: String, _ help: String, _ samples: [(String, String)]) {
            guard !samples.isEmpty else { return }
            text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
            for (labels, value) in samples { text += "\(name)\(labels) \(value)\n" }
        }
        add(
            "hubsend_worker_store_up", "gauge",
            "Whether the worker reached its store within the last 30 seconds.",
            [("", health.isHealthy ? "1" : "0")])
        add(
            "hubsend_worker_runs", "gauge", "Runs that the worker takes part in.",
            [("", "\(state.parts.count)")])
        add(
            "hubsend_worker_runs_joined_total", "counter",
            "How many times the worker joined a run.", [("", "\(state.joined)")])
        add(
            "hubsend_worker_leases_lost_total", "counter",
            "Parts of runs that other processes took over because the worker did not reach the store in time.",
            [("", "\(state.lost)")])
        add(
            "hubsend_worker_requests_total", "counter",
            "Requests that the worker made to the hub for runs.", [("", "\(state.requests)")])
        add(
            "hubsend_worker_answers_total", "counter",
            "Pushes that the worker sent, by the meaning of the hub's response.",
            Answer.allCases.map {
                ("{answer=\"\($0.rawValue)\"}", "\(state.answers[$0] ?? 0)")
            })
        let rates = state.parts.values.compactMap { $0?.report.rate }
        // Shares are kept slightly below the rate, so that rounding cannot make their sum larger.
        let rate = (rates.reduce(0, +) * 1_000).rounded() / 1_000
        add(
            "hubsend_worker_rate", "gauge",
            "Requests per second that the worker may make, which is its share of the rates of its runs.",
            rates.isEmpty ? [] : [("", "\(rate)")])
        var runs = MetricsText()
        for (campaign, entry) in state.campaigns { runs.set(entry, of: campaign) }
        return text + runs.text
    }
}

/// Passes pushes on to a sender, and counts the results.
struct CountedSender: PushSender {
    private let sender: any PushSender
    private let figures: WorkerFigures

    init(_ sender: any PushSender, for figures: WorkerFigures) {
        self.sender = sender
        self.figures = figures
    }

    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async {
        await sender.send(page) { batch in
            figures.note(batch)
            await results(batch)
        }
    }

    func describe(_ page: PushPage) -> PushRequest? { sender.describe(page) }
}
