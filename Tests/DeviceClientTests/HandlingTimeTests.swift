import DeviceClient
import Foundation
import TestBackend
import TestSupport
import Testing

/// A push is handled in time or not at all, and what could not be shown can come again.
@Suite(.bounded) struct HandlingTimeTests {
    private static var hasty: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(600)
        settings.handlingTimeout = .milliseconds(200)
        return settings
    }

    @Test func theUsualLimitLeavesTimeWithinWhatIOSGives() {
        #expect(BackendClientSettings().handlingTimeout == .seconds(20))
    }

    @Test func aBackendThatNeverAnswersEndsInTimeForAllRequestsTogether() async throws {
        try await ScriptedBackend.run { request, _ in
            // What is known of it comes at once; the content never does.
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

    @Test func whatCameTooLateIsFetchedByTheNextPush() async throws {
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
            #expect(
                try await client.handle(.secure(.sample)) == .secure(id: .sample, text: "Hi"))
        }
    }

    @Test func aSourceOfTheCredentialThatNeverAnswersEndsInTimeToo() async throws {
        let (never, end) = AsyncStream.makeStream(of: DeviceCredential.self)
        defer { end.finish() }
        let client = try BackendClient.forTests(
            "https://backend.invalid", settings: Self.hasty
        ) {
            await never.first { _ in true }
        }
        await #expect(throws: BackendClientError.timedOut) {
            try await client.handle(.secure(.sample))
        }
    }

    @Test(arguments: [true, false])
    func whatCouldNotBeShownIsShownByTheNextPush(isInAFile: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("shown"))
        try await ScriptedBackend.run { _, _ in
            .text(#"{"Payload":"Hi"}"#)
        } _: { origin, _ in
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
