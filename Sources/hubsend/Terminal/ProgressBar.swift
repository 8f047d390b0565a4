import CampaignCore
import Delivery
import Foundation
import Synchronization

/// One line on a terminal that shows how far a run is, or why it stands still; nothing where there is no terminal.
final class ProgressBar: Sendable {
    private static let width = 24
    private let isShown: Bool
    /// Whether somebody looks on who sees no line: why the run stands still is then written once.
    private let tellsTrouble: Bool
    private let last = Mutex<RunProgress?>(nil)

    init(isShown: Bool, tellsTrouble: Bool = false) {
        self.isShown = isShown
        self.tellsTrouble = tellsTrouble && !isShown
    }

    /// Draws the line anew.
    func update(_ progress: RunProgress) {
        let before = last.withLock { last in
            defer { last = progress }
            return last?.trouble?.gist
        }
        if tellsTrouble, let trouble = progress.trouble, trouble.gist != before {
            Console.complain("hubsend: " + Self.text(trouble))
        }
        // One column less than there are: a full line wraps on some terminals.
        if isShown {
            Console.draw("\r\u{1B}[2K" + Self.line(progress, columns: Console.columns - 1))
        }
    }

    /// Whether anything was sent yet.
    var hasProgress: Bool { last.withLock { $0 != nil } }

    /// Takes the line away, so that a summary can follow.
    func clear() {
        if isShown, last.withLock({ $0 != nil }) { Console.draw("\r\u{1B}[2K") }
    }

    /// Prints the line once, terminal or not.
    func report() {
        guard let progress = last.withLock({ $0 }) else {
            Console.complain("hubsend: the audience is being read; nothing was sent yet")
            return
        }
        clear()
        Console.complain("hubsend: " + Self.line(progress))
    }

    /// The line where there is only so much room: what it waits for then has that of the bar, and keeps its end.
    static func line(_ progress: RunProgress, columns: Int) -> String {
        guard let trouble = progress.trouble else { return String(line(progress).prefix(columns)) }
        let ended = progress.deliveries - progress.outcomes[.notAttempted]
        let line = "\(ended) of \(progress.deliveries)  \(text(trouble))"
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
        var parts = ["[\(bar)] \(Int(share * 100)) %", "\(ended) of \(progress.deliveries)"]
        if progress.rate > 0 {
            parts.append("\(Int(progress.rate.rounded()))/s")
            let left = Double(progress.deliveries - ended) / progress.rate
            if left >= 1 { parts.append("\(Durations.text(seconds: left)) left") }
        }
        for outcome in [Outcome.rejected, .failed, .unknown, .skipped]
        where progress.outcomes[outcome] > 0 {
            parts.append("\(progress.outcomes[outcome]) \(outcome.rawValue)")
        }
        if let trouble = progress.trouble { parts.append(text(trouble)) }
        return parts.joined(separator: "  ")
    }
}
