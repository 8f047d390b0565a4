import CampaignCore
import Delivery
import Foundation

/// The figures of a campaign's last run.
struct RunFigures: Hashable, Sendable {
    let outcomes: OutcomeCounts
    let requests: Int
    let state: RunState
    let started: Date
    let finished: Date?

    init(_ progress: RunProgress) {
        outcomes = progress.outcomes
        requests = progress.requests
        state = .running
        started = progress.started
        finished = nil
    }

    init(_ summary: RunSummary, ended: Date) {
        let record = summary.record
        outcomes = summary.outcomes
        requests = record.requests
        state = record.state
        started = record.started
        // If other processes continue the run, it has not ended.
        finished = record.state == .running ? nil : record.finished ?? ended
    }
}

/// Metrics in Prometheus's text exposition format, version 0.0.4.
///
/// The campaign is the only label with arbitrary values, which keeps the number of series small.
struct MetricsText {
    struct Entry: Hashable, Sendable {
        /// The figures; nil if there are no new ones, so that the figures in the file are kept.
        var figures: RunFigures?
        /// The exit code of the last command for the campaign; nil while it is running.
        var exitCode: Int32?
    }

    /// The maximum number of campaigns in the file, including those of earlier commands.
    private static let mostKept = 1_000

    private enum Family: String, CaseIterable {
        case deliveries = "hubsend_run_deliveries"
        case requests = "hubsend_run_requests"
        case state = "hubsend_run_state"
        case start = "hubsend_run_start_time_seconds"
        case end = "hubsend_run_end_time_seconds"
        case exitCode = "hubsend_run_exit_code"

        var help: String {
            switch self {
            case .deliveries: "Deliveries of the campaign's last run by outcome."
            case .requests: "Requests to the hub by the campaign's last run."
            case .state:
                "The state of the campaign's last run: 1 for the current state, 0 for the others."
            case .start: "When the campaign's last run was first started."
            case .end: "When the work on the campaign's last run ended."
            case .exitCode: "The exit code of the last command for the campaign."
            }
        }

        func samples(of entry: Entry) -> [(String, Int)] {
            if self == .exitCode {
                guard let code = entry.exitCode else { return [] }
                return [("", Int(code))]
            }
            guard let figures = entry.figures else { return [] }
            switch self {
            case .deliveries:
                return Outcome.allCases.map {
                    (",outcome=\"\($0.rawValue)\"", figures.outcomes[$0])
                }
            case .requests: return [("", figures.requests)]
            case .state:
                return RunState.allCases.map {
                    (",state=\"\($0.rawValue)\"", $0 == figures.state ? 1 : 0)
                }
            case .start: return [("", Self.seconds(figures.started))]
            case .end:
                guard let finished = figures.finished else { return [] }
                return [("", Self.seconds(finished))]
            case .exitCode: return []
            }
        }

        private static func seconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970) }
    }

    /// The lines of each campaign, by its escaped name.
    private var lines: [Family: [String: [String]]] = [:]

    /// Whether all lines look like metrics of hubsend.
    static func isOwn(_ text: String) -> Bool {
        text.split(separator: "\n").allSatisfy {
            $0.wholeMatch(of: /# (HELP|TYPE) hubsend_run_[a-z_]+ .*|hubsend_run_[a-z_]+\{.*/) != nil
        }
    }

    /// Reads an existing file, and drops lines that are not metrics of hubsend.
    init(_ text: String = "") {
        var campaigns: Set<String> = []
        for line in text.split(separator: "\n") {
            guard let match = line.wholeMatch(of: /([a-z_]+)\{campaign="((?:[^"\\]|\\.)*)".*/),
                let family = Family(rawValue: String(match.1))
            else { continue }
            let campaign = String(match.2)
            guard campaigns.contains(campaign) || campaigns.count < Self.mostKept else { continue }
            campaigns.insert(campaign)
            lines[family, default: [:]][campaign, default: []].append(String(line))
        }
    }

    mutating func set(_ entry: Entry, of campaign: String) {
        let name = Self.escaped(campaign)
        for family in Family.allCases where family == .exitCode || entry.figures != nil {
            lines[family, default: [:]][name] = family.samples(of: entry).map { label, value in
                "\(family.rawValue){campaign=\"\(name)\"\(label)} \(value)"
            }
        }
    }

    var text: String {
        Family.allCases.map { family in
            let samples = (lines[family] ?? [:]).sorted { $0.key < $1.key }.flatMap(\.value)
            guard !samples.isEmpty else { return "" }
            return "# HELP \(family.rawValue) \(family.help)\n# TYPE \(family.rawValue) gauge\n"
                + samples.map { $0 + "\n" }.joined()
        }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            .replacing("\n", with: "\\n")
    }
}
