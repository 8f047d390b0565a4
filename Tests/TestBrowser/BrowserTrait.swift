package import Testing

/// Shares one browser among the tests of a suite, because starting one takes longer than any test.
package struct BrowserTrait: SuiteTrait, TestScoping {
    @TaskLocal package static var browser: Browser?

    package func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Browser.run { browser in
            try await Self.$browser.withValue(browser) { try await function() }
        }
    }
}

extension Trait where Self == BrowserTrait {
    package static var browser: Self { Self() }
}
