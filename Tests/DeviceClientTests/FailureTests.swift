import DeviceClient
import Foundation
import TestSupport
import Testing

/// A client throws one kind of error; failures on the device include their cause.
@Suite(.bounded) struct FailureTests {
    private struct Locked: Error, Equatable {}

    private struct Broken: RegistrationIDStore, ShownNotificationStore, DeviceTransport {
        let error: any Error

        func registrationID() throws -> String? { throw error }
        func keep(_ id: String?) throws { throw error }
        func contains(_ id: NotificationID) throws -> Bool { throw error }
        func insert(_ id: NotificationID) throws { throw error }
        func remove(_ id: NotificationID) throws { throw error }
        func send(_ request: DeviceRequest) async throws -> DeviceResponse { throw error }
    }

    private static func client(
        registration: any RegistrationIDStore = InMemoryRegistrationIDStore(),
        shown: any ShownNotificationStore = InMemoryShownNotificationStore(),
        transport: any DeviceTransport = Broken(error: BackendClientError.unreachable),
        credential: @escaping BackendClient.CredentialSource = { .token("t") }
    ) throws -> BackendClient {
        try BackendClient(
            origin: try #require(URL(string: "https://backend.invalid")),
            registration: registration, shown: shown, settings: .patient, transport: transport,
            credential: credential)
    }

    /// Compiles only if no call throws anything else.
    private static func callAll(_ client: BackendClient) async throws(BackendClientError) {
        try await client.register(deviceToken: Data([1]))
        try await client.register(platform: .fcm, handle: "h")
        try await client.unregister()
        _ = try await client.handle(.secure(.sample))
        try await client.forget(.sample)
        _ = try await client.fetch(.sample)
        _ = try await client.fetchText(.sample)
        _ = try await client.fetchMetadata(.sample)
        try await client.markRead(.sample)
        _ = try await client.unread()
    }

    @Test("Every call throws the client's error type")
    func everyCallThrowsTheClientsErrorType() async throws {
        let client = try Self.client()
        await #expect(throws: BackendClientError.unreachable) { try await Self.callAll(client) }
    }

    @Test("A failing credential source is reported with its cause")
    func failingCredentialSourceIsReportedWithItsCause() async throws {
        let client = try Self.client { throw Locked() }
        let expected = BackendClientError.credentialUnavailable(UnderlyingError(Locked()))
        let error = await #expect(throws: expected) { try await client.fetch(.sample) }
        #expect(error?.underlyingError as? Locked == Locked())
        #expect(error?.isPassing == false)
        await #expect(throws: expected) { try await client.handle(.secure(.sample)) }
    }

    @Test("A failing store is reported with its cause")
    func failingStoreIsReportedWithItsCause() async throws {
        let broken = Broken(error: Locked())
        let client = try Self.client(registration: broken, shown: broken)
        let expected = BackendClientError.storeUnavailable(UnderlyingError(Locked()))
        await #expect(throws: expected) { try await client.register(platform: .fcm, handle: "h") }
        await #expect(throws: expected) { try await client.unregister() }
        await #expect(throws: expected) { try await client.handle(.secure(.sample)) }
        await #expect(throws: expected) { try await client.forget(.sample) }
    }

    @Test("A file error keeps its own description")
    func fileErrorKeepsItsOwnDescription() async throws {
        let folder = try TemporaryFolder()
        try folder.write([0xFF, 0xFE], to: "registration", mode: 0o600)
        let file = URL(filePath: folder.file("registration"))
        let client = try Self.client(registration: FileRegistrationIDStore(file: file))
        let error = await #expect(throws: BackendClientError.self) { try await client.unregister() }
        #expect(error?.description.contains(file.path) == true)
        #expect(error?.underlyingError is DeviceStoreError)
    }

    @Test("A transport error is not mistaken for a credential error")
    func transportErrorIsNotMistakenForACredentialError() async throws {
        let client = try Self.client(transport: Broken(error: Locked()))
        let expected = BackendClientError.transportFailed(UnderlyingError(Locked()))
        await #expect(throws: expected) { try await client.fetch(.sample) }
        #expect(
            await client.replacement(for: .secure(.sample, placeholder: "News"))
                == .placeholder(.backend(expected)))
    }

    @Test("A CancellationError from the app counts as a cancellation")
    func cancellationErrorFromTheAppCountsAsACancellation() async throws {
        let client = try Self.client { throw CancellationError() }
        await #expect(throws: BackendClientError.cancelled) { try await client.fetch(.sample) }
        #expect(
            await client.replacement(for: .secure(.sample, placeholder: "News"))
                == .placeholder(.late))
    }

    @Test("A client error thrown by the app is passed through")
    func clientErrorThrownByTheAppIsPassedThrough() async throws {
        let client = try Self.client { throw BackendClientError.noCredential }
        await #expect(throws: BackendClientError.noCredential) { try await client.fetch(.sample) }
    }

    @Test(
        "Every error is a sentence that contains no text from the app",
        arguments: [
            BackendClientError.unusableOrigin(.incomplete), .unusableOrigin(.insecure),
            .unusableOrigin(.hasCredentials), .unusableOrigin(.hasPath), .noCredential,
            .credentialUnusable, .credentialRefused, .forbidden, .unusableHandle, .unaddressable,
            .gone,
            .redirected(status: 302), .status(500, retryAfter: nil), .answerTooLong(limit: 1),
            .answerUnreadable, .timedOut, .unreachable, .cancelled,
            .credentialUnavailable(UnderlyingError(Locked())),
            .storeUnavailable(UnderlyingError(Locked())),
            .transportFailed(UnderlyingError(Locked())),
        ])
    func everyErrorIsASentenceThatContainsNoTextFromTheApp(error: BackendClientError) {
        let sentence = error.description
        #expect(sentence.first?.isUppercase == true && sentence.hasSuffix("."))
        #expect(!sentence.contains("Locked"))
        #expect(error.errorDescription == sentence)
    }
}
