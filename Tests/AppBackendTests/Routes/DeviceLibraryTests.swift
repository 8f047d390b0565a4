import CampaignCore
import DeviceClient
import DeviceURLSession
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import AppBackend

/// Tests an app that uses DeviceClient against the real backend, over a real socket.
@Suite(.bounded) struct DeviceLibraryTests {
    /// Runs a test against a backend that accepts the token `NAME`.
    private static func run(
        _ test: @escaping @Sendable (BackendUnderTest, _ origin: URL) async throws -> Void
    ) async throws {
        try await BackendUnderTest.listen {
            $0.signIn = TokenSignIn()
        } _: { backend, running in
            let origin = try #require(URL(string: "http://127.0.0.1:\(running.port)"))
            try await test(backend, origin)
        }
    }

    /// Timeouts that suit a busy machine.
    private static var patient: BackendClientSettings {
        var settings = BackendClientSettings()
        settings.timeout = .seconds(120)
        settings.handlingTimeout = .seconds(120)
        return settings
    }

    private static func client(
        of user: String?, _ origin: URL,
        registration: any RegistrationIDStore = InMemoryRegistrationIDStore()
    ) throws -> BackendClient {
        try BackendClient(
            origin: origin, registration: registration, shown: InMemoryShownNotificationStore(),
            settings: patient, transport: URLSessionTransport()
        ) {
            user.map { .token($0) }
        }
    }

    private static func named(_ id: CampaignCore.NotificationID) -> DeviceClient.NotificationID? {
        DeviceClient.NotificationID(id.text)
    }

    /// The push of a notification, in the form in which a run sends it.
    private static func push(
        _ id: CampaignCore.NotificationID, _ kind: CampaignKind, type: String? = nil,
        message: String? = nil, on platform: Platform
    ) throws -> DevicePush {
        let now = AdjustableTime.start
        let body = PushBody(kind: kind, platform: platform).bytes(
            PushContent(notification: id, type: type, texts: Texts(message: message)), expires: now,
            now: now)
        return DevicePush(
            body: Data(body), platform: try #require(DevicePlatform(rawValue: platform.rawValue)))
    }

    /// The handle of a browser is its subscription.
    private static func handle(_ platform: Platform) -> String {
        platform == .browser
            ? #"{"endpoint":"https://push.example/1","keys":{"p256dh":"BK","auth":"S"}}"# : "AB12"
    }

    @Test(
        "A device registers, fetches a secure push and marks it as read",
        arguments: Platform.allCases)
    func deviceRegistersFetchesASecurePushAndMarksItAsRead(platform: Platform) async throws {
        try await Self.run { backend, origin in
            let client = try Self.client(of: "alice", origin)
            let devicePlatform = try #require(DevicePlatform(rawValue: platform.rawValue))
            let handle = Self.handle(platform)
            try await client.register(platform: devicePlatform, handle: handle, tags: ["news"])
            let registered = try #require(backend.hub.registrations.values.first)
            #expect(registered.tags == ["username:alice", "news"])
            #expect(registered.platform == platform && registered.handle == handle)

            let id = try await backend.notify([.alice, .bob])
            let shown = try await client.handle(try Self.push(id, .secure, on: platform))
            let named = try #require(Self.named(id))
            #expect(shown == .secure(id: named, text: "the secret"))
            #expect(try await client.unread().notifications.map(\.id) == [named])
            try await client.markRead(named)
            #expect(try await client.unread().notifications.isEmpty)
            #expect(try await backend.received(id, .alice)?.read != nil)
            #expect(try await backend.received(id, .bob)?.read == nil)

            try await client.unregister()
            #expect(backend.hub.registrations.isEmpty)
        }
    }

    @Test("A rich push with a private message arrives byte for byte", arguments: Platform.allCases)
    func richPushWithAPrivateMessageArrivesByteForByte(platform: Platform) async throws {
        let picture = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await Self.run { backend, origin in
            let id = try await backend.notify(
                [.alice], kind: .rich, type: "img", message: "Hi \"Alice\" <é>\u{1F600}\n",
                content: .file(PayloadFile(path: "a.png", mediaType: "image/png", bytes: picture)))
            let push = try Self.push(id, .rich, type: "img", on: platform)
            let shown = try await Self.client(of: "alice", origin).handle(push)
            guard case .rich(let rich) = shown else {
                Issue.record("it was \(shown)")
                return
            }
            #expect(rich.message == "Hi \"Alice\" <é>\u{1F600}\n" && rich.type == "img")
            #expect(rich.content.data == Data(picture) && rich.content.essence == "image/png")
        }
    }

    /// The push of a notification that shows a placeholder.
    private static func visible(
        _ id: CampaignCore.NotificationID, _ kind: CampaignKind, on platform: Platform
    ) throws -> DevicePush {
        let now = AdjustableTime.start
        let body = PushBody(kind: kind, platform: platform, hasPlaceholder: true).bytes(
            PushContent(notification: id, type: "img", texts: Texts(placeholder: "News")),
            expires: now, now: now)
        return DevicePush(
            body: Data(body), platform: try #require(DevicePlatform(rawValue: platform.rawValue)))
    }

    @Test("A placeholder is replaced by the stored payload", arguments: Platform.allCases)
    func placeholderIsReplacedByTheStoredPayload(platform: Platform) async throws {
        try await Self.run { backend, origin in
            let client = try Self.client(of: "alice", origin)
            let id = try await backend.notify(
                [.alice], title: "Statement", link: "https://bank.example", data: ["a": "1"])
            let push = try Self.visible(id, .secure, on: platform)
            #expect(push.placeholder == "News")
            let named = try #require(Self.named(id))
            let expected = DeviceNotification.secure(
                id: named, text: "the secret",
                extras: NotificationExtras(
                    title: "Statement", link: "https://bank.example", data: ["a": "1"]))
            if platform == .wns {
                // Windows shows the toast, and the app fetches the notification when the toast is
                // opened.
                #expect(!push.canReplacePlaceholder)
                #expect(try await client.handle(push) == expected)
            } else {
                for isRepeat in [false, true] {
                    #expect(
                        await client.replacement(for: push)
                            == .notification(expected, isRepeat: isRepeat))
                }
            }
        }
    }

    @Test("A foreign, revoked or expired notification is not shown")
    func foreignRevokedOrExpiredNotificationIsNotShown() async throws {
        try await Self.run { backend, origin in
            let id = try await backend.notify([.alice])
            let push = try Self.push(id, .secure, on: .apns)
            #expect(try await Self.client(of: "bob", origin).handle(push) == .nothing(.gone))
            let other = try await backend.notify([.alice])
            #expect(try await backend.store.revoke(other, at: backend.time.now()))
            let alice = try Self.client(of: "alice", origin)
            #expect(
                try await alice.handle(try Self.push(other, .secure, on: .fcm)) == .nothing(.gone))
            backend.time.move(by: 3_601)
            #expect(try await alice.handle(push) == .nothing(.gone))
        }
    }

    @Test("If nobody is signed in, a device shows the generic text")
    func ifNobodyIsSignedInADeviceShowsTheGenericText() async throws {
        try await Self.run { backend, origin in
            let id = try await backend.notify([.alice])
            let push = try Self.push(id, .secure, on: .wns)
            for user in [nil, "not a name"] {
                let credential: DeviceCredential? = user.map { _ in
                    .password(user: "alice", password: "wrong")
                }
                let client = try BackendClient(
                    origin: origin, registration: InMemoryRegistrationIDStore(),
                    shown: InMemoryShownNotificationStore(), settings: Self.patient,
                    transport: URLSessionTransport()
                ) {
                    credential
                }
                guard case .generic = try await client.handle(push) else {
                    Issue.record("it is not generic")
                    return
                }
            }
            #expect(try await backend.received(id, .alice)?.fetched == nil)
        }
    }

    @Test("A phone that changes hands and comes back is registered again")
    func phoneThatChangesHandsAndComesBackIsRegisteredAgain() async throws {
        try await Self.run { backend, origin in
            let kept = InMemoryRegistrationIDStore()
            let alice = try Self.client(of: "alice", origin, registration: kept)
            try await alice.register(platform: .apns, handle: "AB12")
            let first = await kept.registrationID()
            try await Self.client(of: "bob", origin).register(platform: .apns, handle: "AB12")
            #expect(backend.hub.registrations.values.map(\.tags) == [["username:bob"]])
            // Her ID no longer exists, so the backend answers 410 and the client requests a new ID
            // once.
            try await alice.register(platform: .apns, handle: "AB12")
            #expect(backend.hub.registrations.values.map(\.tags) == [["username:alice"]])
            #expect(await kept.registrationID() != first)
        }
    }

    @Test("A tag that is not allowed is reported to the app")
    func tagThatIsNotAllowedIsReportedToTheApp() async throws {
        try await Self.run { backend, origin in
            let client = try Self.client(of: "alice", origin)
            await #expect(throws: BackendClientError.forbidden) {
                try await client.register(platform: .apns, handle: "AB12", tags: ["username:bob"])
            }
            #expect(backend.hub.registrations.isEmpty)
        }
    }

    @Test("A device can page through its unread notifications")
    func deviceCanPageThroughItsUnreadNotifications() async throws {
        try await Self.run { backend, origin in
            var sent: Set<String> = []
            for _ in 0..<51 { sent.insert(try await backend.notify([.alice]).text) }
            let client = try Self.client(of: "alice", origin)
            let first = try await client.unread()
            #expect(first.notifications.count == 50)
            #expect(first.next != nil)
            let second = try await client.unread(after: first.next)
            #expect(second.notifications.count == 1 && second.next == nil)
            let listed = (first.notifications + second.notifications).map(\.id.text)
            #expect(Set(listed) == sent)
        }
    }
}
