import TestSupport
import Testing

@testable import NotificationHubs

/// Every public type that can contain a secret, with a secret inside.
@Suite(.bounded) struct PublicTypesSecrecyTests {
    /// A word in place of a payload, a handle, a browser's key or a signature.
    private static let secret = "sesame-open-5F1C"

    private func isSafe(_ text: String) -> Bool {
        !Secret.isIn(text) && !text.contains(Self.secret) && !text.contains("115, 101, 115, 97")
            && !text.contains("- 115\n")
    }

    private func details() throws -> NotificationDetails {
        let secret = Self.secret
        return try NotificationDetails(
            XMLElementReader.read(
                Array(
                    ("<NotificationDetails><NotificationId>1</NotificationId>"
                        + "<NotificationBody>\(secret)</NotificationBody><Tags>\(secret)</Tags>"
                        + "<PnsErrorDetailsUri>https://b/?sig=\(secret)</PnsErrorDetailsUri>"
                        + "</NotificationDetails>").utf8)))
    }

    private func outcome() throws -> NotificationOutcome {
        try NotificationOutcome(
            XMLElementReader.read(
                Array(
                    ("<NotificationOutcome><Success>1</Success><Failure>0</Failure><Results>"
                        + "<RegistrationResult><PnsHandle>\(Self.secret)</PnsHandle>"
                        + "</RegistrationResult></Results></NotificationOutcome>").utf8)), "t")
    }

    @Test("No public type prints the secrets that it contains")
    func noPublicTypePrintsTheSecretsThatItContains() async throws {
        let secret = Self.secret
        let connectionString = try ConnectionString(parsing: Secret.connectionString)
        let client = try NotificationHubClient(
            connectionString: connectionString, hubName: HubName("news"))
        let native = try NativeNotification.fcmV1(secret)
        let handle = try DeviceHandle(secret)
        let browser = try DeviceHandle.browser(endpoint: secret, p256dh: secret, auth: secret)
        let call = HubCall(sending: "send", native, headers: browser.headers)
        let details = try details()
        let outcome = try outcome()
        var bulk = try BulkSend(format: .fcmV1)
        try bulk.add(Array(secret.utf8), to: TagExpression(Tag(secret)))
        let values: [Any] = [
            bulk, client.send(bulk),
            connectionString, connectionString.endpoint, client, client.settings, native,
            try TemplateNotification(properties: ["title": secret]), handle, browser,
            [handle, browser], try DirectBatch(native, to: [handle]), details, outcome,
            outcome.results, call, client.registrations(handle: secret),
            client.registrations(handle: secret).makeAsyncIterator(),
            HubError(notBegun: call.operation, .invalidRegistration(.invalidHandle)),
            HubError(call, trackingID: "t", ending: .failed(.init(cause: .timedOut)), answer: nil),
        ]
        for value in values {
            for text in Secret.texts(of: value) {
                #expect(isSafe(text), "\(type(of: value))")
            }
        }
        // The hidden values are still there.
        #expect(details.body == secret)
        #expect(outcome.results.first?.handle == secret)
        #expect(browser.auth == secret)
        try await client.shutdown()
    }
}
