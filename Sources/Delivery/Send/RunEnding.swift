import CampaignCore
import FoundationEssentials

enum EndCause: Hashable, Sendable {
    /// All due deliveries were worked on.
    case complete
    /// All due deliveries were worked on; later waves are not due yet.
    case waiting(until: Date)
    /// Time is up; the rest is skipped for this reason.
    case late(detail: String)
    case stopped(StopMode)
    case paused(Pause)
}

/// The cause that ends the work on a run, and the platforms held up until then.
struct RunEnding: Sendable {
    private let platforms: [Platform]
    /// nil: the work goes on; otherwise nothing new begins, and what is out is waited for.
    private(set) var result: Result<EndCause, any Error>?
    private var held: [Pause] = []

    init(platforms: [Platform]) {
        self.platforms = platforms
    }

    var takesNewWork: Bool { result == nil }
    var hasFailed: Bool { if case .failure = result { true } else { false } }
    var isPartLost: Bool {
        if case .failure(is RunPartLost) = result { true } else { false }
    }

    /// The pause of a run whose only work left is on platforms held up.
    var holds: Pause? { Pause(held, of: platforms) }

    func isHeld(_ platform: Platform) -> Bool { held.contains { $0.platform == platform } }

    /// The first cause counts.
    mutating func end(_ cause: EndCause) {
        result = result ?? .success(cause)
    }

    /// The first error counts, also after a cause.
    mutating func fail(_ error: any Error) {
        if !hasFailed { result = .failure(error) }
    }

    /// Pauses the run, or returns the platform that is held up from now on while others are not.
    mutating func take(_ pause: Pause) -> Platform? {
        guard let platform = pause.platform else {
            end(.paused(pause))
            return nil
        }
        guard takesNewWork, !isHeld(platform) else { return nil }
        held.append(pause)
        guard held.count == platforms.count, let holds else { return platform }
        end(.paused(holds))
        return nil
    }
}
