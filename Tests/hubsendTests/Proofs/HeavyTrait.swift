import Testing

/// Lets the tests that keep a processor busy for seconds run one after the other, so that the lighter ones beside them
/// still see things happen in time.
struct HeavyTrait: TestTrait, SuiteTrait, TestScoping {
    private static let crowd = Crowd(limit: 1)

    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing body: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await body() }
        await Self.crowd.enter()
        do {
            try await body()
            await Self.crowd.leave()
        } catch {
            await Self.crowd.leave()
            throw error
        }
    }
}

extension Trait where Self == HeavyTrait {
    /// Keeps a processor busy for seconds.
    static var heavy: Self { HeavyTrait() }
}
