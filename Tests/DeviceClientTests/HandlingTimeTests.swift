import Foundation
import TestBackend
import TestSupport
import Testing

@testable import DeviceClient

/// A push is handled in time or not at all, and a push that was not shown can be repeated.
@Suite(.bounded) struct HandlingTimeTests {
    private static var hasty: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(600)
        settings.handlingTimeout = .milliseconds(200)
        return settings
    }

    @Test("The default time limit is shorter than the time that iOS allows")
    func defaultTimeLimitIsShorterThanTheTimeThatIOSAllows() {
        #expect(BackendClientSettings().handlingTimeout == .seconds(20))
    }

    @Test("The time limit covers all requests of a push")
    func timeLimitCoversAllRequestsOfAPush() async throws {
        try await ScriptedBackend.run { request, _ in
            // The metadata arrives immediately, but the content never arrives.
            request.target.hasSuffix("?as=json")
                ? .text(#"{"Id":"\#(NotificationID.sample)","Kind":"rich","Read":false}"#)
                : ScriptedAnswer(pieceSize: 1, body: [1], hangs: true)
        } _: { origin, _ in
            let client = try BackendClient.forTests(origin, settings: Self.hasty)
            await #expect(throws: BackendClientError.timedOut) {
                try await client.handle(.rich(.sample, type: "img", message: nil))
            }
            await #expect(throws: BackendClientError.timedOut) {
                try await client.handle(.secure(.other))
            }
        }
    }

    @Test("A notification that came too late is fetched by the next push")
    func notificationThatCameTooLateIsFetchedByTheNextPush() async throws {
        let isLate = Watched(true)
        try await ScriptedBackend.run { _, _ in
            isLate.value
                ? ScriptedAnswer(pieceSize: 1, body: [1], hangs: true)
                : .text(#"{"Payload":"Hi"}"#)
        } _: { origin, _ in
            let shown = InMemoryShownNotificationStore()
            let hasty = try BackendClient.forTests(origin, shown: shown, settings: Self.hasty)
            await #expect(throws: BackendClientError.timedOut) {
                try await hasty.handle(.secure(.sample))
            }
            isLate.update { $0 = false }
            let client = try BackendClient.forTests(origin, shown: shown)
            #expect(try await client.handle(.secure(.sample)) == .secure(id: .sample, text: "Hi"))
        }
    }

    @Test("The time limit covers the credential source")
    func timeLimitCoversTheCredentialSource() async throws {
        let (never, end) = AsyncStream.makeStream(of: DeviceCredential.self)
        defer { end.finish() }
        let client = try BackendClient.forTests("https://backend.invalid", settings: Self.hasty) {
            await never.first { _ in true }
        }
        await #expect(throws: BackendClientError.timedOut) {
            try await client.handle(.secure(.sample))
        }
    }

    /// A part of the app that ignores cancellation.
    enum Part: CaseIterable {
        case transport, credential, store
    }

    private struct StubbornTransport: DeviceTransport {
        let wait: StubbornWait?

        func send(_ request: DeviceRequest) async -> DeviceResponse {
            await wait?.wait()
            return DeviceResponse(status: 200, headers: [:], body: Data(#"{"Payload":"Hi"}"#.utf8))
        }
    }

    private struct StubbornStore: ShownNotificationStore {
        let wait: StubbornWait?

        func contains(_ id: NotificationID) async -> Bool {
            await wait?.wait()
            return false
        }

        func insert(_ id: NotificationID) {}
        func remove(_ id: NotificationID) {}
    }

    private func client(_ part: Part, _ wait: StubbornWait) throws -> BackendClient {
        var settings = BackendClientSettings()
        let limits = [settings.handlingTimeout, settings.replacingTimeout]
        settings.sleep = { duration in
            // The store may use the remaining time.
            guard !wait.isOver, part == .store || limits.contains(duration) else {
                return try await Task.sleep(for: .seconds(3_600))
            }
            await wait.hasBegun.wait()
        }
        return try BackendClient.forTests(
            "https://backend.invalid", shown: StubbornStore(wait: part == .store ? wait : nil),
            settings: settings,
            transport: StubbornTransport(wait: part == .transport ? wait : nil)
        ) {
            if part == .credential { await wait.wait() }
            return .password(user: "alice", password: "open")
        }
    }

    @Test(
        "The time limit applies even if the app's code ignores cancellation",
        arguments: [Part.transport, .credential])
    func timeLimitAppliesEvenIfTheAppsCodeIgnoresCancellation(part: Part) async throws {
        let wait = StubbornWait()
        let client = try client(part, wait)
        await #expect(throws: BackendClientError.timedOut) {
            try await client.handle(.secure(.sample))
        }
        #expect(
            await client.replacement(for: .secure(.sample, placeholder: "News"))
                == .placeholder(.late))
        wait.letGo()
        #expect(try await client.handle(.secure(.sample)) == .secure(id: .sample, text: "Hi"))
    }

    @Test("A slow store does not prevent text from being shown")
    func slowStoreDoesNotPreventTextFromBeingShown() async throws {
        let wait = StubbornWait()
        let client = try client(.store, wait)
        #expect(
            await client.replacement(for: .secure(.sample, placeholder: "News"))
                == .notification(.secure(id: .sample, text: "Hi"), isRepeat: nil))
        wait.letGo()
    }

    @Test("A cancelled call ends immediately") func cancelledCallEndsImmediately() async throws {
        let wait = StubbornWait()
        var settings = BackendClientSettings()
        settings.sleep = { _ in try await Task.sleep(for: .seconds(3_600)) }
        let client = try BackendClient.forTests(
            "https://backend.invalid", settings: settings,
            transport: StubbornTransport(wait: wait))
        let call = Task { try await client.handle(.secure(.sample)) }
        await wait.hasBegun.wait()
        call.cancel()
        await #expect(throws: BackendClientError.cancelled) { try await call.value }
        wait.letGo()
    }

    @Test("A forgotten notification is shown again by the next push", arguments: [true, false])
    func forgottenNotificationIsShownAgainByTheNextPush(isInAFile: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("shown"))
        try await ScriptedBackend.run(answering: .text(#"{"Payload":"Hi"}"#)) { origin, _ in
            let shown: any ShownNotificationStore =
                isInAFile
                ? FileShownNotificationStore(file: file) : InMemoryShownNotificationStore()
            let client = try BackendClient.forTests(origin, shown: shown)
            let push = DevicePush.secure(.sample)
            _ = try await client.handle(.secure(.other))
            #expect(try await client.handle(push) == .secure(id: .sample, text: "Hi"))
            try await client.forget(.sample)
            try await client.forget(.third)
            #expect(try await client.handle(push) == .secure(id: .sample, text: "Hi"))
            #expect(try await client.handle(push) == .nothing(.shownBefore))
            #expect(try await client.handle(.secure(.other)) == .nothing(.shownBefore))
        }
    }
}
