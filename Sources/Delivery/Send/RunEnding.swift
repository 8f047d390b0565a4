import CampaignCore
import FoundationEssentials

enum EndCause: Hashable, Sendable {
    /// All deliveries have been handled.
    case complete
    /// All due deliveries have been handled; other waves are not due yet.
    case waiting(until: Date)
    /// The time is up; the remaining deliveries are skipped for this reason.
    case late(detail: String)
    case stopped(StopMode)
    case paused(Pause)
}

/// Why the work on a run ends, and the platforms that are held up.
struct RunEnding: Sendable {
    private let platforms: [Platform]
    /// nil while the work continues; otherwise, nothing new starts, and the engine waits for pushes
    /// in flight.
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

    /// The pause of a run whose remaining work is only on platforms that are held up.
    var holds: Pause? { Pause(held, of: platforms) }

    func isHeld(_ platform: Platform) -> Bool { held.contains { $0.platform == platform } }

    /// Ends the work; only the first cause is kept.
    mutating func end(_ cause: EndCause) {
        result = result ?? .success(cause)
    }

    /// Ends the work with an error; only the first error is kept, and it replaces a cause.
    mutating func fail(_ error: any Error) {
        if !hasFailed { result = .failure(error) }
    }

    /// Pauses the run; if other platforms are not held up, returns the platform to hold up instead.
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
