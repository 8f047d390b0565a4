import CampaignCore
import Delivery
import Foundation
import Synchronization

/// A line on the terminal that shows the progress of a run or why it is waiting.
final class ProgressBar: Sendable {
    private enum Stage: Sendable {
        case lock(campaign: String)
        case audience(AudienceProgress)
        case sending(RunProgress)
        case copying(String)

        var line: String {
            switch self {
            case .lock(let campaign): ProgressBar.lockLine(campaign)
            case .audience(let progress): ProgressBar.line(progress)
            case .sending(let progress): ProgressBar.line(progress)
            case .copying(let line): line
            }
        }
    }

    private static let width = 24
    private let isShown: Bool
    /// Whether to report once why the run is waiting, because somebody is watching but there is no
    /// line.
    private let reportsTrouble: Bool
    private let last = Mutex<Stage?>(nil)
    private let isStoreAway = Atomic(false)

    /// - Parameter reportsTrouble: whether to report once why the run is waiting if there is no
    ///   line.
    init(isShown: Bool, reportsTrouble: Bool = false) {
        self.isShown = isShown
        self.reportsTrouble = reportsTrouble && !isShown
    }

    func update(_ progress: RunProgress) {
        let before = last.withLock { last in
            defer { last = .sending(progress) }
            if case .sending(let before) = last { return before.trouble?.gist }
            return nil
        }
        if reportsTrouble, let trouble = progress.trouble, trouble.gist != before {
            Console.complain("hubsend: " + Self.text(trouble))
        }
        draw(progress)
    }

    /// Draws the progress so far, and whether the store is unreachable.
    func update(isStoreAway: Bool) {
        self.isStoreAway.store(isStoreAway, ordering: .relaxed)
        if case .sending(let progress) = last.withLock(\.self) { draw(progress) }
    }

    private func draw(_ progress: RunProgress) {
        let isStoreAway = isStoreAway.load(ordering: .relaxed)
        draw { Self.line(progress, columns: $0, isStoreAway: isStoreAway) }
    }

    /// Draws the progress while the audience is read and staged.
    func update(_ progress: AudienceProgress) {
        last.withLock { $0 = .audience(progress) }
        draw { String(Self.line(progress).prefix($0)) }
    }

    func update(waitingForOtherProcessOn campaign: String) {
        last.withLock { $0 = .lock(campaign: campaign) }
        draw { String(Self.lockLine(campaign).prefix($0)) }
    }

    /// Draws how much of a store has been copied.
    func update(copiedRuns runs: Int, of all: Int, rows: Int) {
        let line =
            "copying the store, \(Figures.count(runs)) of \(Figures.count(all, "run", "runs")), "
            + Figures.count(rows, "row", "rows")
        last.withLock { $0 = .copying(line) }
        draw { String(line.prefix($0)) }
    }

    func update(rekeyedPayloads payloads: Int) {
        let line = "re-encrypting, " + Figures.count(payloads, "payload", "payloads")
        last.withLock { $0 = .copying(line) }
        draw { String(line.prefix($0)) }
    }

    private static func lockLine(_ campaign: String) -> String {
        "waiting for another process that is working on campaign \(campaign)"
    }

    /// Replaces the line with a line that fits the available columns.
    private func draw(_ line: (_ columns: Int) -> String) {
        // The last column is not used, because a full line wraps on some terminals.
        if isShown {
            Console.draw(line(Console.columns - 1))
        }
    }

    var hasProgress: Bool {
        last.withLock { last in
            if case .sending = last { true } else { false }
        }
    }

    /// Clears the line, so that a summary can follow.
    func clear() {
        if isShown, last.withLock({ $0 != nil }) { Console.draw(nil) }
    }

    /// Prints the line once, even without a terminal.
    func report() {
        let stage = last.withLock { $0 } ?? .audience(.reading(0))
        clear()
        let tail =
            switch stage {
            case .audience: "; nothing has been sent yet"
            case .copying, .lock, .sending: ""
            }
        Console.complain("hubsend: " + stage.line + tail)
    }

    private static func line(_ progress: AudienceProgress) -> String {
        switch progress {
        case .reading(0): "reading the audience"
        case .reading(let names):
            "reading the audience, \(Figures.count(names, "name", "names")) so far"
        case .sorting(let names): "sorting \(Figures.count(names, "name", "names"))"
        case .asking(let done, let people):
            "asking the hub about \(Figures.count(people, "person", "people"))"
                + (done > 0 ? ", \(Figures.count(done)) so far" : "")
        case .staging(let done, let people):
            "staging \(Figures.count(people, "person", "people"))"
                + (done > 0 ? ", \(Figures.count(done)) so far" : "")
        }
    }

    /// Returns the line cut to a width; a message about waiting replaces the bar, and its end is
    /// not cut.
    static func line(
        _ progress: RunProgress, columns: Int, isStoreAway: Bool = false
    ) -> String {
        let wait =
            isStoreAway
            ? "waiting for the store, which is not answering" : progress.trouble.map(text)
        guard let wait else { return String(line(progress).prefix(columns)) }
        let ended = progress.deliveries - progress.outcomes[.notAttempted]
        let line =
            "\(Figures.count(ended)) of \(Figures.count(progress.deliveries))  \(wait)"
        guard line.count > columns else { return line }
        let tail = min(20, columns / 3)
        return line.prefix(max(0, columns - tail - 3)) + "..." + line.suffix(tail)
    }

    private static func text(_ trouble: HubTrouble) -> String {
        "waiting for the hub: "
            + VisibleText.escape(
                trouble.text(at: Date()) {
                    $0.formatted(
                        Date.ISO8601FormatStyle(timeZone: .current)
                            .time(includingFractionalSeconds: false))
                })
    }

    private static func line(_ progress: RunProgress) -> String {
        let ended = progress.deliveries - progress.outcomes[.notAttempted]
        let share = progress.deliveries > 0 ? Double(ended) / Double(progress.deliveries) : 1
        let filled = Int(share * Double(width))
        let bar =
            String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
        var parts = [
            "[\(bar)] \(Int(share * 100)) %",
            Figures.count(ended) + " of " + Figures.count(progress.deliveries),
        ]
        if progress.rate > 0 {
            parts.append("\(Figures.count(Int(progress.rate.rounded())))/s")
            let left = Double(progress.deliveries - ended) / progress.rate
            if left >= 1 { parts.append("\(Durations.text(seconds: left)) left") }
        }
        if progress.others > 0 { parts.append("\(Figures.count(progress.others + 1)) workers") }
        for outcome in Outcome.final.dropFirst() where progress.outcomes[outcome] > 0 {
            parts.append("\(Figures.count(progress.outcomes[outcome])) \(outcome.rawValue)")
        }
        if let trouble = progress.trouble { parts.append(text(trouble)) }
        return parts.joined(separator: "  ")
    }
}
