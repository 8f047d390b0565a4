import CampaignCore
import FoundationEssentials

/// Tracks which waves of a run are open, and what is left to do in them on each platform.
///
/// A pure state machine; the caller passes the time in seconds since 1970. Retries of a closed wave
/// exist only in the ledger and are read again when the wave opens. A run without waves is treated
/// as one wave that is always open.
struct WaveProgress: Sendable {
    /// How many seconds early a wave closes, so that requests in flight end in time.
    static let lead = 1

    private static let everybody = RunWave(
        number: 0, recipients: 1...Int.max,
        windows: SendWindows(windows: [SendWindows.Window(opens: .min)]),
        zones: [])

    /// The progress of a wave on one platform since it opened.
    private enum Stage: Hashable {
        case unread
        case reading(through: Int)
        /// All waiting deliveries have been read; untried people come next.
        case fresh
        case dry

        var isRead: Bool { self == .fresh || self == .dry }
    }

    /// Whether the run has waves.
    let hasSendTimes: Bool
    private let waves: [RunWave]
    /// The stages of each platform, by wave.
    private var stages: [Platform: [Stage]]
    private var areOpen: [Bool]
    private var instant: Int

    init(_ waves: [RunWave], platforms: [Platform], at instant: Int) {
        hasSendTimes = !waves.isEmpty
        self.waves = hasSendTimes ? waves : [Self.everybody]
        self.instant = instant
        areOpen = self.waves.map { Self.isOpen($0, at: instant) }
        let unread = self.waves.map { _ in Stage.unread }
        stages = Dictionary(uniqueKeysWithValues: Set(platforms).map { ($0, unread) })
    }

    // MARK: Time

    /// Advances to an instant; returns true if a wave closed.
    ///
    /// If so, pushes that ``maySend(_:)`` forbids must be cancelled and dropped.
    mutating func advance(to now: Int) -> Bool {
        guard now > instant else { return false }
        instant = now
        var hasClosed = false
        for index in waves.indices {
            let isOpen = Self.isOpen(waves[index], at: now)
            if areOpen[index], !isOpen {
                hasClosed = true
                for platform in stages.keys { stages[platform]?[index] = .unread }
            }
            areOpen[index] = isOpen
        }
        return hasClosed
    }

    var nextChange: Int? {
        zip(waves, areOpen).compactMap { wave, isOpen in
            isOpen
                ? wave.windows.closing(after: instant).map { $0 - Self.lead }
                : wave.windows.opening(after: instant)
        }.min()
    }

    private static func isOpen(_ wave: RunWave, at instant: Int) -> Bool {
        guard wave.windows.isOpen(at: instant) else { return false }
        return wave.windows.closing(after: instant).map { instant < $0 - lead } ?? true
    }

    func maySend(_ number: Int) -> Bool { areOpen[index(of: number)] }

    // MARK: Deciding

    /// Where a platform's next pushes come from; earlier open waves go first.
    ///
    /// All waiting deliveries of open waves are read before new people are claimed. A wave is not
    /// read while pushes that were claimed before it closed are still in flight, because they may
    /// begin to wait during the read.
    mutating func source(on platform: Platform, besides out: InFlight) -> PushSource {
        for index in waves.indices
        where areOpen[index] && stages[platform]?[index] == .unread
            && !out.hasAny(of: waves[index].recipients, on: platform)
        {
            stages[platform]?[index] = .reading(through: 0)
        }
        if let (index, number) = reading(on: platform) {
            let recipients = waves[index].recipients
            return .waiting(
                after: max(number, recipients.lowerBound - 1),
                through: hasSendTimes ? recipients.upperBound : nil)
        }
        let fresh = waves.indices.first { areOpen[$0] && stages[platform]?[$0] == .fresh }
        return fresh.map { .fresh(wave: hasSendTimes ? waves[$0].number : nil) } ?? .dry
    }

    /// The wave that is being read, and the number to continue after.
    private func reading(on platform: Platform) -> (wave: Int, after: Int)? {
        for index in waves.indices where areOpen[index] {
            if case .reading(let number) = stages[platform]?[index] { return (index, number) }
        }
        return nil
    }

    mutating func readAgain() {
        for index in waves.indices where areOpen[index] {
            for platform in stages.keys where stages[platform]?[index].isRead == true {
                stages[platform]?[index] = .reading(through: 0)
            }
        }
    }

    // MARK: Events

    /// Takes the deliveries that ``source(on:besides:)`` requested, ordered by number, and returns
    /// those of the wave being read.
    mutating func read(_ claims: [DeliveryClaim], on platform: Platform) -> [DeliveryClaim] {
        guard let (index, _) = reading(on: platform) else { return [] }
        let end = waves[index].recipients.upperBound
        let last = claims.last?.number ?? .max
        stages[platform]?[index] = last < end ? .reading(through: last) : .fresh
        return last > end ? Array(claims.prefix { $0.number <= end }) : claims
    }

    /// - Parameter wave: its number; nil if the run has no waves.
    mutating func ranDry(_ wave: Int?, on platform: Platform) {
        let index = waves.firstIndex { $0.number == wave } ?? 0
        stages[platform]?[index] = .dry
    }

    /// Whether a retry is kept in memory; if not, it is read from the ledger with its wave.
    func keepsRetry(_ number: Int, on platform: Platform) -> Bool {
        let index = index(of: number)
        return areOpen[index] && stages[platform]?[index] != .unread
    }

    // MARK: The end

    /// Why the work ends when nothing is left to do now.
    ///
    /// Returns `complete` even if people of open waves are left, which means that something else
    /// changed the store.
    func end(_ waveOutcomes: [WaveOutcomes], before deadline: RunDeadline) -> EndCause {
        let left = waveOutcomes.filter { $0.outcomes[.notAttempted] > 0 }.map(\.wave)
        guard !left.isEmpty, !left.contains(where: { Self.isOpen($0, at: instant) }) else {
            return .complete
        }
        let opening = left.compactMap { $0.windows.opening(after: instant) }.min()
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
            let isBefore = waves[middle].recipients.upperBound < number
            (low, high) = isBefore ? (middle + 1, high) : (low, middle)
        }
        return low
    }
}

/// Where a platform's next pushes come from.
enum PushSource: Hashable, Sendable {
    /// Deliveries that wait for another try; a nil `through` means up to the end.
    case waiting(after: Int, through: Int?)
    /// Untried people; nil if the run has no waves.
    case fresh(wave: Int?)
    /// Everybody in open waves has been tried.
    case dry

    var isFresh: Bool { if case .fresh = self { true } else { false } }
}
