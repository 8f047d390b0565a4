import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct TokenProviderTests {
    private let clock = ManualClock(1_767_222_000)

    private func provider(
        _ connectionString: String = Secret.connectionString, hub: String = "MyHub"
    ) throws -> TokenProvider {
        let clock = clock
        return TokenProvider(
            connectionString: try ConnectionString(parsing: connectionString),
            hubName: try HubName(hub), now: { clock.now })
    }

    @Test("A token names the hub in lower case and is valid for an hour")
    func tokenNamesTheHubInLowerCaseAndIsValidForAnHour() throws {
        #expect(
            try provider().token().authorization
                == "SharedAccessSignature sr=https%3a%2f%2fcontoso.servicebus.windows.net%2fmyhub"
                + "&sig=byK4VkxOKEGkC5t85JVxBSAxTjDS9VAT9pVB6PQm05U%3D&se=1767225600"
                + "&skn=DefaultFullSharedAccessSignature")
    }

    @Test("The audience of a token includes an explicit port")
    func audienceOfATokenIncludesAnExplicitPort() throws {
        let token = try provider(
            "Endpoint=http://127.0.0.1:8080/;SharedAccessKeyName=n;SharedAccessKey=k"
        ).token()

        #expect(token.authorization.contains("sr=http%3a%2f%2f127.0.0.1%3a8080%2fmyhub&"))
    }

    @Test("A token is reused until five minutes before it expires")
    func tokenIsReusedUntilFiveMinutesBeforeItExpires() throws {
        let provider = try provider()
        let first = provider.token()

        clock.advance(by: 3_300)
        #expect(provider.token() == first)
        clock.advance(by: 1)
        #expect(provider.token().expiry == first.expiry + 3_301)
    }

    @Test("A refused token is replaced once for all its requests")
    func refusedTokenIsReplacedOnceForAllItsRequests() throws {
        let provider = try provider()
        let refused = provider.token()
        clock.advance(by: 10)

        let second = provider.token(replacing: refused)
        clock.advance(by: 10)

        #expect(second.expiry == refused.expiry + 10)
        #expect(provider.token(replacing: refused) == second)
        #expect(provider.token() == second)
    }

    @Test("The second key is used after the first has been refused twice")
    func secondKeyIsUsedAfterTheFirstHasBeenRefusedTwice() throws {
        let clock = clock
        let told = Watched(0)
        let provider = TokenProvider(
            connectionString: try ConnectionString(parsing: Secret.connectionString),
            hubName: try HubName("news"),
            secondary: try ConnectionString(
                parsing:
                    "Endpoint=sb://contoso.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=other"
            ), onSecondary: { told.update { $0 += 1 } }, now: { clock.now })
        func isSecond(_ token: SharedAccessSignature) -> Bool {
            token.authorization.hasSuffix("&skn=n")
        }
        let first = provider.token()
        // The new token differs even if it is issued within the same second.
        let renewed = provider.token(replacing: first)
        #expect(renewed != first)
        #expect(provider.token(replacing: first) == renewed)
        #expect(![first, renewed].contains(where: isSecond))
        #expect(told.value == 0)
        let second = provider.token(replacing: renewed)
        #expect(isSecond(second))
        #expect(provider.token(replacing: renewed) == second)
        clock.advance(by: 3_400)
        let later = provider.token()
        #expect(isSecond(later))
        #expect(told.value == 1)
        // The second key is also refused, so the first is tried again.
        let last = provider.token(replacing: later)
        #expect(isSecond(last))
        #expect(!isSecond(provider.token(replacing: last)))
        #expect(told.value == 1)
    }

    @Test("Setting the clock back discards a token from the future")
    func settingTheClockBackDiscardsATokenFromTheFuture() throws {
        let provider = try provider()
        let first = provider.token()

        clock.advance(by: -86_400)

        #expect(provider.token().expiry == first.expiry - 86_400)
    }
}
