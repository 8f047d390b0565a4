import CampaignCore
import FoundationEssentials

/// Which waves of a run are open, and what each platform has left to do in them: the one place that knows about waves.
///
/// A pure machine that knows the time only from its caller, in seconds since 1970. While a wave is closed, nothing of it is kept
/// in memory: its retries stand in the ledger, and are read from there when it opens again.
struct WaveProgress: Sendable {
    /// A wave counts as closed so many seconds early, so that requests in flight end in time.
    static let lead = 1

    /// How far this process is with a wave on one platform, since the wave was opened.
    private enum Stage: Hashable {
        /// What waits in the ledger is to be read.
        case unread
        /// It is read up to this number.
        case reading(through: Int)
        /// All of it is read: people who were never tried come now.
        case fresh
        /// Everybody was tried.
        case dry

        var isRead: Bool { self == .fresh || self == .dry }
    }

    private struct Part {
        var stage = Stage.unread
        /// Pushes that are out, even from before the wave was last closed.
        var out = 0
    }

    private let waves: [RunWave]
    private var parts: [Platform: [Part]]
    private var areOpen: [Bool]
    private var instant: Int

    /// - Parameters:
    ///   - waves: the run's, in order.
    ///   - platforms: the run's.
    ///   - instant: the time.
    /// - Returns: nil for a run without waves.
    init?(_ waves: [RunWave], platforms: [Platform], at instant: Int) {
        guard !waves.isEmpty else { return nil }
        self.waves = waves
        self.instant = instant
        areOpen = waves.map { Self.isOpen($0, at: instant) }
        parts = Dictionary(
            uniqueKeysWithValues: Set(platforms).map { ($0, waves.map { _ in Part() }) })
    }

    // MARK: Time

    /// Goes on to an instant.
    ///
    /// - Returns: whether a wave has closed; pushes that ``maySend(_:)`` denies must then be called off and forgotten.
    mutating func advance(to now: Int) -> Bool {
        guard now > instant else { return false }
        instant = now
        var hasClosed = false
        for index in waves.indices {
            let isOpen = Self.isOpen(waves[index], at: now)
            if areOpen[index], !isOpen {
                hasClosed = true
                for platform in parts.keys { parts[platform]?[index].stage = .unread }
            }
            areOpen[index] = isOpen
        }
        return hasClosed
    }

    /// When a wave opens or closes next; nil: no wave does any more.
    var nextChange: Int? {
        zip(waves, areOpen).compactMap { wave, isOpen in
            isOpen
                ? wave.turn.closing(after: instant).map { $0 - Self.lead }
                : wave.turn.opening(after: instant)
        }.min()
    }

    private static func isOpen(_ wave: RunWave, at instant: Int) -> Bool {
        guard wave.turn.isOpen(at: instant) else { return false }
        return wave.turn.closing(after: instant).map { instant < $0 - lead } ?? true
    }

    /// Whether somebody may be sent to, by their number.
    func maySend(_ number: Int) -> Bool {
        areOpen[index(of: number)]
    }

    // MARK: What comes next

    /// Where a platform's pushes come from now.
    ///
    /// The first open wave goes first. But before anybody is claimed who was never tried, all that waits in open waves is read.
    func source(on platform: Platform) -> PushSource {
        if let (index, number) = reading(on: platform) {
            return .waiting(after: max(number, waves[index].recipients.lowerBound - 1))
        }
        return fresh(on: platform) == nil ? .dry : .fresh
    }

    /// The wave from which people who were never tried are claimed now; nil: no open wave has such people.
    func fresh(on platform: Platform) -> RunWave? {
        waves.indices.first { areOpen[$0] && parts[platform]?[$0].stage == .fresh }
            .map { waves[$0] }
    }

    /// The wave that is read now, and the number after which it is read on.
    ///
    /// A wave is not read while pushes from before its closing are out: these may come to wait, too, while it is read.
    private func reading(on platform: Platform) -> (wave: Int, after: Int)? {
        guard let parts = parts[platform] else { return nil }
        for index in waves.indices where areOpen[index] {
            switch parts[index].stage {
            case .unread where parts[index].out == 0: return (index, 0)
            case .reading(let number): return (index, number)
            case .unread, .fresh, .dry: continue
            }
        }
        return nil
    }

    /// The highest number that is read as ``source(on:)`` asks; nil: nothing is read now.
    func lastToRead(on platform: Platform) -> Int? {
        reading(on: platform).map { waves[$0.wave].recipients.upperBound }
    }

    /// Reads again what waits in the ledger in the open waves, since other processes left something there.
    mutating func readAgain() {
        for index in waves.indices where areOpen[index] {
            for platform in parts.keys where parts[platform]?[index].stage.isRead == true {
                parts[platform]?[index].stage = .reading(through: 0)
            }
        }
    }

    // MARK: What happened

    /// Takes what was read as ``source(on:)`` asked for.
    ///
    /// - Parameters:
    ///   - claims: deliveries that wait, by number; empty at the end.
    ///   - platform: where they go.
    /// - Returns: the deliveries of the wave that is read.
    mutating func read(_ claims: [DeliveryClaim], on platform: Platform) -> [DeliveryClaim] {
        guard let (index, _) = reading(on: platform) else { return [] }
        let own = claims.prefix { $0.number <= waves[index].recipients.upperBound }
        let last = own.last?.number
        parts[platform]?[index].stage =
            if let last, own.count == claims.count, last < waves[index].recipients.upperBound {
                .reading(through: last)
            } else {
                .fresh
            }
        return Array(own)
    }

    /// Everybody of a wave was tried on a platform.
    mutating func ranDry(_ wave: RunWave, on platform: Platform) {
        let index = index(of: wave.recipients.lowerBound)
        parts[platform]?[index].stage = .dry
    }

    /// A push went out to somebody.
    mutating func sent(_ number: Int, on platform: Platform) {
        let index = index(of: number)
        parts[platform]?[index].out += 1
    }

    /// A push has its result.
    mutating func answered(_ number: Int, on platform: Platform) {
        let index = index(of: number)
        parts[platform]?[index].out -= 1
    }

    /// Whether a retry is kept in memory; if not, it is read from the ledger together with its wave.
    func keepsRetry(_ number: Int, on platform: Platform) -> Bool {
        let index = index(of: number)
        return areOpen[index] && parts[platform]?[index].stage != .unread
    }

    // MARK: The end

    /// Why the work ends when nothing is left to do now.
    ///
    /// - Parameters:
    ///   - standings: how far the waves are in the ledger.
    ///   - deadline: when the run's time is up.
    /// - Returns: `complete` even if people are left whose turn it is: the store was then changed from outside.
    func end(_ standings: [WaveStanding], before deadline: RunDeadline) -> EndCause {
        let left = standings.filter { $0.outcomes[.notAttempted] > 0 }.map(\.wave)
        guard !left.isEmpty, !left.contains(where: { Self.isOpen($0, at: instant) }) else {
            return .complete
        }
        let opening = left.compactMap { $0.turn.opening(after: instant) }.min()
            .map { Date(timeIntervalSince1970: Double($0)) }
        guard let opening, opening < deadline.date else {
            return .late(detail: deadline.detailOfTurns)
        }
        return .waiting(until: opening)
    }

    /// The index of the wave in which a number lies.
    private func index(of number: Int) -> Int {
        var (low, high) = (0, waves.count - 1)
        while low < high {
            let middle = (low + high) / 2
            let isBehind = waves[middle].recipients.upperBound < number
            (low, high) = isBehind ? (middle + 1, high) : (low, middle)
        }
        return low
    }
}
