import Synchronization

/// Whether a process comes back that could not renew its part for as long as the part lasts.
///
/// As a rule the server was away, for all who work on the run, and whoever is back first would take over what others are about to write
/// down. So it spares them for a moment.
final class Comeback: Sendable {
    /// How long others may need to find the server again.
    private static let grace = Duration.seconds(5)

    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// Its lease had ended when it was renewed.
    func note() {
        end.withLock { $0 = .now + Self.grace }
    }

    /// Whether that was a moment ago.
    var isRecent: Bool {
        end.withLock { end in end.map { .now < $0 } ?? false }
    }
}
