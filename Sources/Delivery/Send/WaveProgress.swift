import CampaignCore
import FoundationEssentials

/// Which waves of a run are open, and what each platform has left to do in them.
///
/// A pure machine; the caller gives the time in seconds since 1970. Retries of a closed wave are
/// only in the ledger, and are read again when it opens.
struct WaveProgress: Sendable {
    /// Seconds that a wave closes early, so that requests in flight end in time.
    static let lead = 1

    /// Progress with a wave on one platform since it opened.
    private enum Stage: Hashable {
        case unread
        case reading(through: Int)
        /// All waiting deliveries are read; people never tried come next.
        case fresh
        case dry

        var isRead: Bool { self == .fresh || self == .dry }
    }

    private struct Part {
        var stage = Stage.unread
        /// Pushes that are out, including those from before the wave last closed.
        var out = 0
    }

    private let waves: [RunWave]
    private var parts: [Platform: [Part]]
    private var areOpen: [Bool]
    private var instant: Int

    init?(_ waves: [RunWave], platforms: [Platform], at instant: Int) {
        guard !waves.isEmpty else { return nil }
        self.waves = waves
        self.instant = instant
        areOpen = waves.map { Self.isOpen($0, at: instant) }
        parts = Dictionary(
            uniqueKeysWithValues: Set(platforms).map { ($0, waves.map { _ in Part() }) })
    }

    // MARK: Time

    /// Moves to an instant; true if a wave closed.
    ///
    /// Pushes that ``maySend(_:)`` denies must then be recalled and dropped.
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

    func maySend(_ number: Int) -> Bool {
        areOpen[index(of: number)]
    }

    // MARK: What comes next

    /// Where a platform's pushes come from now: the first open wave first.
    ///
    /// Everything that waits in open waves is read before anybody new is claimed.
    func source(on platform: Platform) -> PushSource {
        if let (index, number) = reading(on: platform) {
            return .waiting(after: max(number, waves[index].recipients.lowerBound - 1))
        }
        return fresh(on: platform) == nil ? .dry : .fresh
    }

    /// The wave whose untried people are claimed now.
    func fresh(on platform: Platform) -> RunWave? {
        waves.indices.first { areOpen[$0] && parts[platform]?[$0].stage == .fresh }
            .map { waves[$0] }
    }

    /// The wave that is read now, and the number to continue after.
    ///
    /// Not while pushes from before its closing are out: they may start to wait during the read.
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

    func lastToRead(on platform: Platform) -> Int? {
        reading(on: platform).map { waves[$0.wave].recipients.upperBound }
    }

    mutating func readAgain() {
        for index in waves.indices where areOpen[index] {
            for platform in parts.keys where parts[platform]?[index].stage.isRead == true {
                parts[platform]?[index].stage = .reading(through: 0)
            }
        }
    }

    // MARK: What happened

    /// Takes what ``source(on:)`` asked for, by number, and returns those of the wave being read.
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

    mutating func ranDry(_ wave: RunWave, on platform: Platform) {
        let index = index(of: wave.recipients.lowerBound)
        parts[platform]?[index].stage = .dry
    }

    mutating func sent(_ number: Int, on platform: Platform) {
        let index = index(of: number)
        parts[platform]?[index].out += 1
    }

    mutating func answered(_ number: Int, on platform: Platform) {
        let index = index(of: number)
        parts[platform]?[index].out -= 1
    }

    /// If not, it is read from the ledger with its wave.
    func keepsRetry(_ number: Int, on platform: Platform) -> Bool {
        let index = index(of: number)
        return areOpen[index] && parts[platform]?[index].stage != .unread
    }

    // MARK: The end

    /// Why the work ends when nothing is left to do now.
    ///
    /// Returns `complete` even if people with a due turn are left: the store was then changed from
    /// outside.
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
