import Foundation
import TestBackend
import TestSupport
import Testing

@testable import DeviceClient

@Suite(.bounded) struct ReplacementTests {
    private struct Broken: ShownNotificationStore {
        struct Full: Error {}
        func contains(_ id: NotificationID) throws -> Bool { throw Full() }
        func insert(_ id: NotificationID) throws { throw Full() }
        func remove(_ id: NotificationID) throws { throw Full() }
    }

    /// Makes the first call wait.
    private actor Slow: ShownNotificationStore {
        nonisolated let hasBegun = Milestone()
        nonisolated let isLetGo = Milestone()
        private var ids: Set<NotificationID> = []

        func contains(_ id: NotificationID) async -> Bool {
            if !hasBegun.isReached {
                hasBegun.reach()
                await isLetGo.wait()
            }
            return ids.contains(id)
        }

        func insert(_ id: NotificationID) { ids.insert(id) }
        func remove(_ id: NotificationID) { ids.remove(id) }
    }

    private static let push = DevicePush.secure(.sample, placeholder: "News")
    private static let text = DeviceNotification.secure(id: .sample, text: "Hi")

    private static func settings(_ limit: Duration) -> BackendClientSettings {
        var settings = BackendClientSettings.patient
        settings.replacingTimeout = limit
        return settings
    }

    private static let patient = settings(.seconds(120))

    @Test("The default time limit is shorter than the time that iOS allows")
    func defaultTimeLimitIsShorterThanTheTimeThatIOSAllows() {
        #expect(BackendClientSettings().replacingTimeout == .seconds(25))
    }

    @Test("Fetched text also replaces the placeholder of a repeated push")
    func fetchedTextAlsoReplacesThePlaceholderOfARepeatedPush() async throws {
        try await ScriptedBackend.run(answering: .text(#"{"Payload":"Hi"}"#)) { origin, backend in
            let client = try BackendClient.forTests(origin, settings: Self.patient)
            #expect(
                await client.replacement(for: Self.push)
                    == .notification(Self.text, isRepeat: false))
            #expect(
                await client.replacement(for: Self.push)
                    == .notification(Self.text, isRepeat: true))
            #expect(backend.requests.count == 2)
            // Both methods know that it was shown.
            #expect(try await client.handle(Self.push) == .nothing(.shownBefore))
        }
    }

    @Test("Two concurrent pushes are both shown, one as a repeat")
    func twoConcurrentPushesAreBothShownOneAsARepeat() async throws {
        try await ScriptedBackend.run(answering: .text(#"{"Payload":"Hi"}"#)) { origin, _ in
            let client = try BackendClient.forTests(origin, settings: Self.patient)
            async let one = client.replacement(for: Self.push)
            async let other = client.replacement(for: Self.push)
            let both = await [one, other]
            #expect(both.contains(.notification(Self.text, isRepeat: true)))
            #expect(
                both.allSatisfy {
                    if case .notification(Self.text, _) = $0 { true } else { false }
                })
        }
    }

    @Test("The push that is fetched first is not the repeat")
    func pushThatIsFetchedFirstIsNotTheRepeat() async throws {
        let transport = HeldTransport(#"{"Payload":"Hi"}"#)
        let client = try BackendClient.forTests(
            "https://backend.invalid", settings: Self.patient, transport: transport)
        async let early = client.replacement(for: Self.push)
        await transport.hasBegun.wait()
        let late = await client.replacement(for: Self.push)
        transport.isLetGo.reach()
        #expect(late == .notification(Self.text, isRepeat: false))
        #expect(await early == .notification(Self.text, isRepeat: true))
    }

    @Test("The app does not show what the extension has already shown")
    func appDoesNotShowWhatTheExtensionHasAlreadyShown() async throws {
        let transport = HeldTransport(#"{"Payload":"Hi"}"#)
        let client = try BackendClient.forTests(
            "https://backend.invalid", settings: Self.patient, transport: transport)
        async let handled = client.handle(Self.push)
        await transport.hasBegun.wait()
        let replaced = await client.replacement(for: Self.push)
        transport.isLetGo.reach()
        #expect(replaced == .notification(Self.text, isRepeat: false))
        #expect(try await handled == .nothing(.shownBefore))
    }

    @Test("A slow store does not change which push is the repeat")
    func slowStoreDoesNotChangeWhichPushIsTheRepeat() async throws {
        let shown = Slow()
        let client = try BackendClient.forTests(
            "https://backend.invalid", shown: shown, settings: Self.patient,
            transport: HeldTransport.open(#"{"Payload":"Hi"}"#))
        async let first = client.replacement(for: Self.push)
        await shown.hasBegun.wait()
        let second = await client.replacement(for: Self.push)
        shown.isLetGo.reach()
        #expect(second == .notification(Self.text, isRepeat: true))
        #expect(await first == .notification(Self.text, isRepeat: false))
    }

    @Test("A failing store does not prevent text from being shown")
    func failingStoreDoesNotPreventTextFromBeingShown() async throws {
        try await ScriptedBackend.run(answering: .text(#"{"Payload":"Hi"}"#)) { origin, _ in
            let client = try BackendClient.forTests(
                origin, shown: Broken(), settings: Self.patient)
            #expect(
                await client.replacement(for: Self.push)
                    == .notification(Self.text, isRepeat: nil))
        }
    }

    @Test("A temporary failure is retried") func temporaryFailureIsRetried() async throws {
        try await ScriptedBackend.run { _, number in
            number < 2 ? .status(503, ["Retry-After": "0"]) : .text(#"{"Payload":"Hi"}"#)
        } _: { origin, backend in
            var settings = Self.patient
            settings.firstPause = .milliseconds(1)
            let client = try BackendClient.forTests(origin, settings: settings)
            #expect(
                await client.replacement(for: Self.push)
                    == .notification(Self.text, isRepeat: false))
            #expect(backend.requests.count == 3)
        }
    }

    @Test(
        "Without Retry-After, a retry waits for the default pause",
        arguments: [["Retry-After": "0"], [:]])
    func withoutRetryAfterARetryWaitsForTheDefaultPause(headers: [String: String]) async throws {
        try await ScriptedBackend.run(answering: .status(503, headers)) { origin, backend in
            var settings = Self.patient
            settings.firstPause = settings.replacingTimeout
            let client = try BackendClient.forTests(origin, settings: settings)
            #expect(
                await client.replacement(for: Self.push)
                    == .placeholder(
                        .backend(.status(503, retryAfter: headers.isEmpty ? nil : .zero))))
            #expect(backend.requests.count == 1)
        }
    }

    @Test("If Retry-After is long, the placeholder is shown immediately")
    func ifRetryAfterIsLongThePlaceholderIsShownImmediately() async throws {
        try await ScriptedBackend.run(
            answering: .status(503, ["Retry-After": "600"])
        ) { origin, backend in
            let client = try BackendClient.forTests(origin, settings: Self.patient)
            #expect(
                await client.replacement(for: Self.push)
                    == .placeholder(.backend(.status(503, retryAfter: .seconds(600)))))
            #expect(backend.requests.count == 1)
        }
    }

    @Test("If the backend does not answer in time, the placeholder remains")
    func ifTheBackendDoesNotAnswerInTimeThePlaceholderRemains() async throws {
        try await ScriptedBackend.run(
            answering: ScriptedAnswer(pieceSize: 1, body: [1], hangs: true)
        ) { origin, _ in
            let shown = InMemoryShownNotificationStore()
            let client = try BackendClient.forTests(
                origin, shown: shown, settings: Self.settings(.milliseconds(200)))
            #expect(await client.replacement(for: Self.push) == .placeholder(.late))
            // The next push with the ID will try again.
            #expect(await !shown.contains(.sample))
        }
    }

    @Test(
        "After a refused fetch, the placeholder remains",
        arguments: [
            (401, .signedOut), (403, .signedOut), (404, .gone), (410, .gone),
            (400, .backend(.status(400, retryAfter: nil))),
        ] as [(Int, PlaceholderReason)])
    func afterARefusedFetchThePlaceholderRemains(
        status: Int, reason: PlaceholderReason
    ) async throws {
        try await ScriptedBackend.run(answering: .status(status)) { origin, backend in
            let client = try BackendClient.forTests(origin, settings: Self.patient)
            #expect(await client.replacement(for: Self.push) == .placeholder(reason))
            #expect(await client.replacement(for: Self.push) == .placeholder(reason))
            // A refused sign-in is not retried, because the backend would treat it as guessing.
            #expect(backend.requests.count == (status == 401 ? 1 : 2))
        }
    }

    @Test("A signed-out user sees the placeholder, and nothing is sent")
    func signedOutUserSeesThePlaceholderAndNothingIsSent() async throws {
        struct Locked: Error {}
        try await ScriptedBackend.run(answering: .text(#"{"Payload":"Hi"}"#)) { origin, backend in
            let signedOut = try BackendClient.forTests(origin, settings: Self.patient) { nil }
            #expect(await signedOut.replacement(for: Self.push) == .placeholder(.signedOut))
            let locked = try BackendClient.forTests(origin, settings: Self.patient) {
                throw Locked()
            }
            #expect(
                await locked.replacement(for: Self.push)
                    == .placeholder(.credentialUnavailable))
            #expect(backend.requests.isEmpty)
        }
    }

    @Test(
        "A push without a replaceable placeholder causes no fetch",
        arguments: [
            DevicePush.secure(.sample), .rich(.sample, type: nil, message: "Hi"), .alert("Hi"),
            .notOurs,
            DevicePush(userInfo: [
                "aps": ["alert": ["body": "News"]], "secureId": NotificationID.sample.text,
            ]),
        ])
    func pushWithoutAReplaceablePlaceholderCausesNoFetch(push: DevicePush) async throws {
        let client = try BackendClient.forTests("https://backend.invalid")
        #expect(await client.replacement(for: push) == .placeholder(.nothingToReplace))
    }

    @Test("The app also shows the placeholder to a signed-out user")
    func appAlsoShowsThePlaceholderToASignedOutUser() async throws {
        let client = try BackendClient.forTests("https://backend.invalid") { nil }
        #expect(try await client.handle(Self.push) == .generic(id: .sample, text: "News"))
    }
}
