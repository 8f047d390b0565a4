import CampaignCore
import Delivery
import Foundation
import Synchronization

/// One line on a terminal that shows how far a run is; nothing where there is no terminal.
final class ProgressBar: Sendable {
    private static let width = 24
    private let isShown: Bool
    private let last = Mutex<RunProgress?>(nil)

    init(isShown: Bool) {
        self.isShown = isShown
    }

    /// Draws the line anew.
    func update(_ progress: RunProgress) {
        last.withLock { $0 = progress }
        // One column less than there are: a full line wraps on some terminals.
        if isShown {
            Console.draw("\r\u{1B}[2K" + Self.line(progress).prefix(Console.columns - 1))
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
        return parts.joined(separator: "  ")
    }
}
