/// Sends many requests to a hub, several at once but limited to a rate.
struct PacedInquiry {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private let interval: Duration
    private let mostAtOnce: Int
    private let keepsAnswers: Bool
    private var next: Duration = .zero

    /// - Parameters:
    ///   - rate: requests per second; nil for no limit.
    ///   - keepsAnswers: whether requests in flight may finish after a failure.
    init(rate: Double?, atOnce mostAtOnce: Int, keepsAnswers: Bool) {
        start = clock.now
        interval = rate.map { .seconds(1 / $0) } ?? .zero
        self.mostAtOnce = mostAtOnce
        self.keepsAnswers = keepsAnswers
    }

    /// Sends requests until there are no more or one fails.
    mutating func ask<Question: Sendable, Answer: Sendable>(
        _ question: () async throws -> Question?,
        answer: @escaping @Sendable (Question) async throws -> Answer, take: (Answer) -> Void
    ) async throws {
        var failure: (any Error)?
        func note(_ result: Result<Answer, any Error>) {
            switch result {
            case .success(let answer): take(answer)
            case .failure(let error): failure = failure ?? error
            }
        }
        await withTaskGroup(of: Result<Answer, any Error>.self) { group in
            var inFlight = 0
            while failure == nil {
                if inFlight == mostAtOnce, let result = await group.next() {
                    inFlight -= 1
                    note(result)
                    continue
                }
                do {
                    guard let question = try await question() else { break }
                    try await wait()
                    group.addTask {
                        do {
                            return .success(try await answer(question))
                        } catch {
                            return .failure(error)
                        }
                    }
                    inFlight += 1
                } catch {
                    failure = error
                }
            }
            if failure != nil, !keepsAnswers { group.cancelAll() }
            for await result in group { note(result) }
        }
        if let failure { throw failure }
    }

    /// Waits until the rate allows the next request; unused capacity is lost.
    private mutating func wait() async throws {
        let now = start.duration(to: clock.now)
        if now < next { try await clock.sleep(for: next - now) }
        next = max(now, next) + interval
        try Task.checkCancellation()
    }
}
