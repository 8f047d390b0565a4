import CampaignCore

struct OutstandingPages: Sendable {
    struct Answers: Hashable, Sendable {
        let platform: Platform
        let pushes: [Answer]
        /// Results for no push of the page, or for one that already had a result.
        let strays: Int
    }

    struct Answer: Hashable, Sendable {
        let attempt: Attempt
        let result: PushResult
    }

    private struct Page: Sendable {
        let platform: Platform
        let start: Duration
        /// By index in the page; nil after the result.
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

    func platform(of number: Int) -> Platform? { pages[number]?.platform }

    /// Adds a page and returns its number; `start` is on the run's timeline.
    mutating func add(
        _ attempts: some Sequence<Attempt>, on platform: Platform, from start: Duration
    ) -> Int {
        let number = added
        added += 1
        pages[number] = Page(
            platform: platform, start: start, pushes: attempts.map(Optional.some))
        return number
    }

    /// Takes pushes with results, in the same order; nil if there is no such page.
    mutating func take(_ results: [PushResult], of number: Int) -> Answers? {
        // Removed from the dictionary to be changed in place.
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

    /// Removes a finished page; its pushes without a result may have gone out.
    ///
    /// Returns them as `unknown`; nil if there are none.
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
