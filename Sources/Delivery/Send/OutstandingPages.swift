import CampaignCore

/// The pages that the sender has, with the pushes of each that have no result yet.
struct OutstandingPages: Sendable {
    /// Pushes of one page that have their results now.
    struct Answers: Hashable, Sendable {
        let platform: Platform
        let pushes: [Answer]
        /// Results that belong to no push of the page, or to one that has had its result.
        let strays: Int
    }

    /// A push, as it was sent, with its result.
    struct Answer: Hashable, Sendable {
        let attempt: Attempt
        let result: PushResult
    }

    private struct Page: Sendable {
        let platform: Platform
        let start: Duration
        /// The pushes by number, which is their index in the page; nil once the result has come.
        var pushes: [Attempt?]

        mutating func take(_ number: Int) -> Attempt? {
            guard pushes.indices.contains(number) else { return nil }
            var attempt = pushes[number]
            pushes[number] = nil
            if attempt?.firstTry == nil { attempt?.firstTry = start }
            attempt?.lastTry = start
            return attempt
        }
    }

    private var pages: [Int: Page] = [:]
    private var added = 0

    var isEmpty: Bool { pages.isEmpty }

    /// Where a page goes; nil when there is no such page.
    func platform(of number: Int) -> Platform? { pages[number]?.platform }

    /// Adds a page that is handed over.
    ///
    /// - Parameters:
    ///   - start: when they were handed over, on the run's timeline.
    /// - Returns: the page's number.
    mutating func add(
        _ attempts: some Sequence<Attempt>, on platform: Platform, from start: Duration
    ) -> Int {
        let number = added
        added += 1
        pages[number] = Page(
            platform: platform, start: start, pushes: attempts.map(Optional.some))
        return number
    }

    /// Takes the pushes that have their results.
    ///
    /// - Parameters:
    ///   - number: the page's number.
    /// - Returns: the pushes in the same order; nil when there is no such page.
    mutating func take(_ results: [PushResult], of number: Int) -> Answers? {
        // It is taken out of the dictionary, so that it is changed in place.
        guard var page = pages.removeValue(forKey: number) else { return nil }
        var answers: [Answer] = []
        answers.reserveCapacity(results.count)
        for result in results {
            guard let attempt = page.take(result.number) else { continue }
            answers.append(Answer(attempt: attempt, result: result))
        }
        pages[number] = page
        return Answers(
            platform: page.platform, pushes: answers, strays: results.count - answers.count)
    }

    /// Removes a page that the sender is done with; a push of it that has no result may have gone out.
    ///
    /// - Parameter number: the page's number.
    /// - Returns: the pushes without a result, as `unknown`; nil when every push has its result.
    mutating func close(_ number: Int) -> Answers? {
        guard let page = pages[number] else { return nil }
        defer { pages[number] = nil }
        let lost = page.pushes.indices.filter { page.pushes[$0] != nil }.map { push in
            PushResult(
                number: push, disposition: .unknown, detail: "the sender gave no result",
                requests: 0)
        }
        return lost.isEmpty ? nil : take(lost, of: number)
    }
}
