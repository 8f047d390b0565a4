import CampaignCore
import FoundationEssentials

/// A ledger that keeps everything in memory, as durable as the test: it survives runners, and can be made to fail.
///
/// Like a database it refuses to work for a cancelled task.
actor MemoryLedger: RunLedger {
    enum Call: Hashable, Sendable {
        case record, claimNext, claimAgain, append
    }

    struct DiskFull: Error, Equatable {}

    struct Key: Hashable, Sendable {
        var number: Int
        var platform: Platform
    }

    struct Row: Sendable {
        enum State: Hashable, Sendable {
            case sending, waiting
            case ended(Outcome)
        }
        var state: State
        var attempts = 0
        var isUncertain = false
        var detail = ""
        var isHeld = false
    }

    struct Contents: Sendable {
        var record: RunRecord
        var stopRequest: StopMode?
        var shared: NewNotification?
        var recipients: [StagedRecipient] = []
        var rows: [Key: Row] = [:]
        var nextFresh: [Platform: Int] = [:]
    }

    private let clock: TestClock
    private(set) var contents: [RunID: Contents] = [:]
    /// Every batch that was written, for what is promised about batches.
    private(set) var batches: [[DeliveryRecord]] = []
    private(set) var largestAppend = 0
    private(set) var stopChecks = 0
    private(set) var revoked: Set<RunID> = []
    private(set) var claimCalls = 0
    /// How many deliveries of a run were `sending` at once at the most.
    private(set) var mostSending = 0
    private var sending = 0
    /// A claim that is held up until somebody lets it go on.
    private var gate: (claim: Int, reached: Signal, opened: Signal)?
    /// Whom any frequency cap protects.
    private var capped: Set<Username> = []
    private var failures: [Call: Int] = [:]
    /// Every call fails after this many more; nil: none.
    private var callsLeft: Int?

    init(clock: TestClock) {
        self.clock = clock
    }

    /// Lets a call fail from then on, after it has worked a number of times.
    func fail(_ call: Call, after count: Int) {
        failures[call] = count
    }

    /// Lets everything fail after that many calls more, as when the process is killed.
    func failEverything(after count: Int?) {
        callsLeft = count
    }

    func hold(claim number: Int, reached: Signal, until opened: Signal) {
        gate = (number, reached, opened)
    }

    func protect(_ names: [String]) {
        capped = Set(names.map { Username(checked: $0) })
    }

    func revoke(_ run: RunID, at time: Date) throws {
        try check()
        revoked.insert(run)
    }

    func mend() {
        failures = [:]
        callsLeft = nil
    }

    /// Time may go on although deliveries are left `sending`: their process is dead.
    func letGo() {
        for run in contents.keys {
            for (key, row) in rows(of: run) where row.isHeld {
                contents[run]?.rows[key]?.isHeld = false
                clock.release()
            }
        }
    }

    func rows(of run: RunID) -> [Key: Row] { contents[run]?.rows ?? [:] }

    private func check(_ call: Call? = nil) throws {
        try Task.checkCancellation()
        if let left = callsLeft {
            guard left > 0 else { throw DiskFull() }
            callsLeft = left - 1
        }
        guard let call, let left = failures[call] else { return }
        guard left > 0 else { throw DiskFull() }
        failures[call] = left - 1
    }

    func held(_ id: RunID) throws -> Contents {
        guard let found = contents[id] else { throw NoSuchRun() }
        return found
    }

    struct NoSuchRun: Error {}
    struct AlreadyThere: Error {}

    // MARK: Runs

    func begin(_ run: RunRecord) throws {
        try check()
        let clash = contents.values.contains { other in
            other.record.id == run.id
                ? other.record.state != .staging
                : other.record.hub == run.hub && other.record.campaign == run.campaign
                    && other.record.occurrence == run.occurrence
        }
        guard !clash, run.state == .staging else { throw AlreadyThere() }
        contents[run.id, default: Contents(record: run)].record = run
    }

    func run(_ id: RunID) throws -> RunRecord? {
        try check()
        return contents[id]?.record
    }

    func run(hub: HubIdentity, campaign: String, occurrence: Occurrence) throws -> RunRecord? {
        try check()
        return contents.values.map(\.record).first { run in
            run.hub == hub && run.campaign == campaign && run.occurrence == occurrence
                && !run.isRehearsal
        }
    }

    func runs(campaign: String?, limit: Int) throws -> [RunRecord] {
        try check()
        let runs = contents.values.map(\.record).filter {
            campaign == nil || $0.campaign == campaign
        }
        return Array(runs.sorted { $0.id > $1.id }.prefix(limit))
    }

    func setState(_ state: RunState, reason: String?, of run: RunID, at time: Date) throws {
        try check()
        var found = try held(run)
        found.record.state = state
        found.record.reason = state == .paused ? reason : nil
        if state == .finished { found.record.finished = time }
        contents[run] = found
    }

    func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) throws {
        try check()
        contents[run]?.record.delivery = delivery
    }

    func requestStop(_ run: RunID, _ mode: StopMode) throws {
        try check()
        let found = try held(run).stopRequest?.rawValue ?? 0
        contents[run]?.stopRequest = StopMode(rawValue: max(found, mode.rawValue))
    }

    func clearStopRequest(_ run: RunID) throws {
        try check()
        if try held(run).stopRequest == .resumable { contents[run]?.stopRequest = nil }
    }

    func stopRequest(_ run: RunID) throws -> StopMode? {
        try check()
        stopChecks += 1
        return try held(run).stopRequest
    }

    /// Nothing of it can be damaged.
    func verify(_ run: RunID) throws {
        try check()
        _ = try held(run)
    }

    // MARK: Staging

    func clearStaging(_ run: RunID) throws {
        try check()
        guard try held(run).record.state == .staging else { throw AlreadyThere() }
        contents[run]?.shared = nil
        contents[run]?.recipients = []
        contents[run]?.rows = [:]
    }

    func store(_ notification: NewNotification, of run: RunID) throws {
        try check()
        contents[run]?.shared = notification
    }

    func append(_ recipients: [StagedRecipient], to run: RunID) throws {
        try check(.append)
        largestAppend = max(largestAppend, recipients.count)
        for recipient in recipients {
            contents[run]?.recipients.append(recipient)
            let number = contents[run]?.recipients.count ?? 0
            for platform in recipient.withheld {
                contents[run]?.rows[Key(number: number, platform: platform)] = Row(
                    state: .ended(.skipped), detail: SkipReason.notAskedFor.rawValue)
            }
        }
    }

    func finishStaging(_ run: RunID, counts: AudienceCounts) throws {
        try check()
        contents[run]?.record.counts = counts
        contents[run]?.record.state = .running
    }

    // MARK: Sending

    private func claim(_ key: Key, in contents: Contents) throws -> DeliveryClaim {
        let recipient = contents.recipients[key.number - 1]
        guard let notification = recipient.notification ?? contents.shared else {
            throw NoSuchRun()
        }
        let row = contents.rows[key]
        return DeliveryClaim(
            number: key.number, username: recipient.username, notification: notification.id,
            type: notification.type, message: notification.message, attempts: row?.attempts ?? 0,
            isUncertain: row?.isUncertain ?? false)
    }

    private func page(
        _ run: RunID, _ platform: Platform, _ state: Row.State, after number: Int, limit: Int
    ) throws -> [DeliveryClaim] {
        try check()
        let found = try held(run)
        let keys = found.rows.filter { key, row in
            key.platform == platform && key.number > number && row.state == state
        }.keys.sorted { $0.number < $1.number }
        return try keys.prefix(limit).map { try claim($0, in: found) }
    }

    func interrupted(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) throws -> [DeliveryClaim] {
        try page(run, platform, .sending, after: number, limit: limit).map { claim in
            var interrupted = claim
            interrupted.attempts += 1
            interrupted.isUncertain = true
            return interrupted
        }
    }

    func waiting(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) throws -> [DeliveryClaim] {
        try page(run, platform, .waiting, after: number, limit: limit)
    }

    func claimNext(
        _ run: RunID, platform: Platform, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        try check(.claimNext)
        claimCalls += 1
        if claimCalls == gate?.claim {
            gate?.reached.happen()
            await gate?.opened.wait()
        }
        var found = try held(run)
        let first = found.nextFresh[platform] ?? 1
        let last = min(first + limit - 1, found.recipients.count)
        guard first <= last else { return ClaimedPage(claims: []) }
        var claims: [DeliveryClaim] = []
        var skipped = 0
        for number in first...last {
            let key = Key(number: number, platform: platform)
            if found.rows[key] != nil { continue }
            if cap != nil, capped.contains(found.recipients[number - 1].username) {
                found.rows[key] = Row(state: .ended(.skipped))
                skipped += 1
                continue
            }
            claims.append(try claim(key, in: found))
            found.rows[key] = Row(state: .sending, isHeld: true)
        }
        found.nextFresh[platform] = last + 1
        contents[run] = found
        began(claims.count)
        return ClaimedPage(claims: claims, skipped: skipped)
    }

    func unclaimed(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) throws -> (people: [Username], last: Int) {
        try check()
        let found = try held(run)
        let first = max(number + 1, found.nextFresh[platform] ?? 1)
        let people = found.recipients.dropFirst(first - 1).prefix(limit).map(\.username)
        return (people, first + people.count - 1)
    }

    func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) throws -> Int {
        try check()
        return people.count { capped.contains($0) }
    }

    func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) throws {
        try check(.claimAgain)
        for number in numbers {
            let key = Key(number: number, platform: platform)
            guard contents[run]?.rows[key]?.state == .waiting else { throw NoSuchRun() }
            contents[run]?.rows[key]?.state = .sending
            contents[run]?.rows[key]?.isHeld = true
        }
        began(numbers.count)
    }

    private func began(_ count: Int) {
        sending += count
        mostSending = max(mostSending, sending)
        clock.hold(count)
    }

    func record(_ records: [DeliveryRecord], requests: Int, of run: RunID) throws {
        try check(.record)
        batches.append(records)
        var released = 0
        for record in records {
            let key = Key(number: record.number, platform: record.platform)
            guard var row = contents[run]?.rows[key], row.state == .sending else {
                throw NoSuchRun()
            }
            if row.isHeld { released += 1 }
            row.isHeld = false
            row.attempts = record.attempts
            row.isUncertain = record.isUncertain
            row.detail = record.detail
            row.state =
                switch record.state {
                case .waiting: .waiting
                case .ended(let outcome): .ended(outcome)
                }
            contents[run]?.rows[key] = row
        }
        contents[run]?.record.requests += requests
        sending -= records.count
        clock.release(released)
    }

    func endRemaining(
        _ run: RunID, as outcome: Outcome, detail: String, at time: Date
    ) throws {
        try check()
        var found = try held(run)
        for platform in found.record.platforms {
            for number in 1...max(1, found.recipients.count) {
                var row =
                    found.rows[Key(number: number, platform: platform)] ?? Row(state: .waiting)
                if case .ended = row.state { continue }
                let isUncertain = row.isUncertain || row.state == .sending
                row.state = .ended(isUncertain ? .unknown : outcome)
                row.detail = detail
                found.rows[Key(number: number, platform: platform)] = row
            }
        }
        contents[run] = found
    }

    func outcomes(_ run: RunID) throws -> OutcomeCounts {
        try check()
        let found = try held(run)
        var counts = OutcomeCounts()
        for case .ended(let outcome) in found.rows.values.map(\.state)
        where outcome != .notAttempted {
            counts[outcome] += 1
        }
        counts[.notAttempted] = found.record.deliveries - counts.total
        let skipped = found.rows.values.filter { $0.state == .ended(.skipped) }.map(\.detail)
        counts.tooLate = skipped.count { $0.hasPrefix(SkipReason.tooLate.rawValue) }
        counts.revoked = skipped.count { $0.hasPrefix(SkipReason.revoked.rawValue) }
        counts.expired = skipped.count { $0.hasPrefix(SkipReason.expired.rawValue) }
        return counts
    }

    func reportPage(
        _ run: RunID, after number: Int, recipients: Int
    ) throws -> (rows: [ReportRow], last: Int) {
        ([], number)
    }

    func reportRows(_ run: RunID, of recipient: Username) throws -> [ReportRow] { [] }

    func rest(
        of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int
    ) throws -> (people: [RestMember], last: Int?) {
        try check()
        let found = try held(run)
        guard number < found.recipients.count else { return ([], nil) }
        let last = min(number + recipients, found.recipients.count)
        let people = ((number + 1)...last).compactMap { number -> RestMember? in
            let platforms = found.record.platforms.filter { platform in
                let row = found.rows[Key(number: number, platform: platform)]
                guard case .ended(let outcome) = row?.state else {
                    return outcomes.contains(.notAttempted)
                }
                return outcomes.contains(outcome) && row?.detail != SkipReason.notAskedFor.rawValue
            }
            return platforms.isEmpty
                ? nil
                : RestMember(
                    username: found.recipients[number - 1].username, platforms: Set(platforms))
        }
        return (people, last)
    }

    func reasons(_ run: RunID, limit: Int) throws -> [TroubleReason] { [] }

    func reach(_ run: RunID) throws -> Reach { Reach() }
}
