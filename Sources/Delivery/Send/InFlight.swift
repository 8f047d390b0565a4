import CampaignCore

/// The pages that the sender is working on.
struct InFlight: Sendable {
    struct Answers: Hashable, Sendable {
        let platform: Platform
        let pushes: [Answer]
        /// The number of results for an unknown push or for a push that already had a result.
        let strays: Int

        /// How many answers were throttled.
        var throttled: Int {
            pushes.count { push in
                if case .retry(_, .throttled) = push.result.disposition { true } else { false }
            }
        }
    }

    struct Answer: Hashable, Sendable {
        let attempt: Attempt
        let result: PushResult
    }

    private struct Page: Sendable {
        let platform: Platform
        let start: Duration
        /// The ``ClaimedPage/id``, if the pushes were claimed for this page.
        let claim: Int?
        /// Requests per second; nil if the run has no rate, so that ``InFlight/pace(at:)`` is not
        /// used.
        let rate: Double?
        /// The pushes by index in the page; nil once a push has its result.
        var pushes: [Attempt?]
        /// The number of pushes without a result.
        var left: Int
        var task: Task<Void, Never>?

        mutating func take(_ number: Int) -> Attempt? {
            guard pushes.indices.contains(number), var attempt = pushes[number] else { return nil }
            pushes[number] = nil
            left -= 1
            attempt.firstTry = attempt.firstTry ?? start
            attempt.lastTry = start
            return attempt
        }
    }

    private var pages: [Int: Page] = [:]
    private var added = 0
    private var left: [Platform: (pushes: Int, recipients: Int)] = [:]
    /// The number of unfinished pages of each claim.
    private var openClaims: [Int: Int] = [:]
    private var closedClaims: [Int] = []

    var isEmpty: Bool { pages.isEmpty }

    func platform(of number: Int) -> Platform? { pages[number]?.platform }

    /// Pushes without a result, and their recipients.
    func left(on platform: Platform) -> (pushes: Int, recipients: Int) {
        left[platform] ?? (0, 0)
    }

    func hasAny(of recipients: ClosedRange<Int>, on platform: Platform) -> Bool {
        pages.values.contains { page in
            page.platform == platform
                && page.pushes.contains { $0.map { recipients.contains($0.number) } ?? false }
        }
    }

    /// The maximum rate at which pushes may be sent, in requests per second, if the rate becomes
    /// `rate` now.
    ///
    /// A page keeps its rate while it has unsent pushes.
    func pace(at rate: Double) -> Double {
        let faster = pages.values.filter { $0.rate ?? 0 > rate }
        let most = faster.compactMap(\.rate).max() ?? rate
        return min(most, rate + Double(faster.reduce(0) { $0 + $1.left }))
    }

    /// Adds a page and returns its number; `start` is on the run's timeline.
    mutating func add(
        _ attempts: ArraySlice<Attempt>, of claim: Int?, on platform: Platform,
        from start: Duration, at rate: Double?
    ) -> Int {
        added += 1
        left[platform, default: (0, 0)].pushes += attempts.count
        left[platform, default: (0, 0)].recipients += attempts.reduce(0) { $0 + $1.claims.count }
        if let claim { openClaims[claim, default: 0] += 1 }
        pages[added] = Page(
            platform: platform, start: start, claim: claim, rate: rate,
            pushes: attempts.map(Optional.some), left: attempts.count)
        return added
    }

    /// - Parameter task: sends the page; if it is cancelled, unsent pushes are returned.
    mutating func begin(_ number: Int, _ task: Task<Void, Never>) {
        pages[number]?.task = task
    }

    /// Cancels each page with a push that must not be sent now.
    func cancel(unless maySend: (Int) -> Bool) {
        for page in pages.values
        where page.pushes.contains(where: { $0.map { !maySend($0.number) } ?? false }) {
            page.task?.cancel()
        }
    }

    func cancelAll() {
        for page in pages.values { page.task?.cancel() }
    }

    /// Removes and returns the pushes of some results, in the same order; returns nil if there is
    /// no such page.
    mutating func take(_ results: [PushResult], of number: Int) -> Answers? {
        // The page is removed from the dictionary so that it is changed in place, without a copy.
        guard var page = pages.removeValue(forKey: number) else { return nil }
        var answers: [Answer] = []
        answers.reserveCapacity(results.count)
        for result in results {
            guard let attempt = page.take(result.number) else { continue }
            answers.append(Answer(attempt: attempt, result: result))
            left[page.platform, default: (0, 0)].recipients -= attempt.claims.count
        }
        left[page.platform, default: (0, 0)].pushes -= answers.count
        pages[number] = page
        return Answers(
            platform: page.platform, pushes: answers, strays: results.count - answers.count)
    }

    /// Removes a finished page; its pushes without a result may have been sent.
    ///
    /// Returns these pushes as `unknown`, or nil if every push had a result.
    mutating func close(_ number: Int) -> Answers? {
        guard let page = pages[number] else { return nil }
        defer {
            pages[number] = nil
            if let claim = page.claim {
                openClaims[claim, default: 0] -= 1
                close(claim: claim)
            }
        }
        guard page.left > 0 else { return nil }
        let lost = page.pushes.indices.filter { page.pushes[$0] != nil }.map { push in
            PushResult(
                number: push, disposition: .unknown, detail: "the sender returned no result",
                requests: 0)
        }
        return take(lost, of: number)
    }

    /// Marks a claim as finished unless one of its pages is unfinished.
    mutating func close(claim: Int) {
        guard openClaims[claim, default: 0] == 0 else { return }
        openClaims[claim] = nil
        closedClaims.append(claim)
    }

    /// Returns the finished claims; call when all results are recorded.
    ///
    /// They are reported, so that other processes do not settle their deliveries.
    mutating func takeClosedClaims() -> [Int] {
        defer { closedClaims = [] }
        return closedClaims
    }
}
