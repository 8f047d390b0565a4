import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct SettingsTests {
    @Test(
        "A setting that is out of range is refused",
        arguments: [
            (HubClientSettings(concurrency: 0), HubConfigurationError.concurrencyOutOfRange),
            (HubClientSettings(concurrency: 1_025), .concurrencyOutOfRange),
            (HubClientSettings(requestTimeout: .zero), .timeoutOutOfRange),
            (HubClientSettings(requestTimeout: .seconds(301)), .timeoutOutOfRange),
            (HubClientSettings(connectTimeout: .seconds(-1)), .timeoutOutOfRange),
            (HubClientSettings(retries: RetryPolicy(attempts: 0)), .retriesOutOfRange),
            (HubClientSettings(retries: RetryPolicy(multiplier: .nan)), .retriesOutOfRange),
            (
                HubClientSettings(retries: RetryPolicy(retryAfterLimit: .seconds(301))),
                .retriesOutOfRange
            ),
            (HubClientSettings(userAgent: "a\r\nb"), .invalidUserAgent),
        ])
    func settingThatIsOutOfRangeIsRefused(
        settings: HubClientSettings, error: HubConfigurationError
    ) throws {
        let connectionString = try ConnectionString(parsing: Secret.connectionString)
        #expect(throws: error) {
            try NotificationHubClient(
                connectionString: connectionString, hubName: HubName("news"), settings: settings)
        }
    }

    @Test("The hub name argument overrides the connection string")
    func hubNameArgumentOverridesTheConnectionString() async throws {
        let text = Secret.connectionString
        #expect(throws: HubConfigurationError.noHubName) {
            try NotificationHubClient(connectionString: ConnectionString(parsing: text))
        }
        let both = try ConnectionString(parsing: "\(text);EntityPath=default")
        let named = try NotificationHubClient(connectionString: both, hubName: HubName("argument"))
        let unnamed = try NotificationHubClient(connectionString: both)
        try await named.shutdown()
        try await unnamed.shutdown()

        #expect(named.hubName.rawValue == "argument")
        #expect(unnamed.hubName.rawValue == "default")
    }
}
