import CampaignCore
import DeviceClient
import Foundation
import LocalHub
import Logging
import NotificationHubs
import TestSupport
import Testing

/// Tests pushes of every kind, on every platform, with and without a placeholder and all extras.
///
/// The push service accepts each push, and the device understands it.
@Suite(.bounded) struct WireTests {
    /// A form of a push, sent to a separate user.
    private struct Form: CustomStringConvertible {
        static let id = CampaignCore.NotificationID.placeholder
        static let all = CampaignKind.allCases.flatMap { kind in
            Platform.allCases.flatMap { platform in
                [true, false].flatMap { hasPlaceholder in
                    [true, false].compactMap { hasExtras in
                        kind == .alert && hasPlaceholder
                            ? nil
                            : Form(
                                kind: kind, platform: platform, hasPlaceholder: hasPlaceholder,
                                hasExtras: hasExtras)
                    }
                }
            }
        }

        let kind: CampaignKind
        let platform: Platform
        let hasPlaceholder: Bool
        let hasExtras: Bool

        var description: String {
            "\(kind.rawValue)-\(platform)-\(hasPlaceholder)-\(hasExtras)"
        }

        var content: PushContent {
            var content = PushContent(notification: Self.id)
            if kind == .rich { content.type = "img" }
            if kind != .secure { content.texts.message = "Two \"days\" <only> & é\u{1F600}" }
            if hasPlaceholder { content.texts.placeholder = "You have a new message" }
            guard hasExtras else { return content }
            content.texts.title = "Spring & <sale>"
            content.link = "https://shop.example/sale?a=1&b=\"2\""
            content.data = [(key: "campaign", value: "spring=1&2"), (key: "colour", value: "röd")]
            (content.badge, content.sound, content.thread) = (1, "default", "sales")
            return content
        }

        func isUnderstood(as push: DevicePush) -> Bool {
            let isToast = platform == .wns && (hasPlaceholder || kind == .alert)
            let content = content
            var extras = NotificationExtras.none
            if kind != .secure {
                extras.title = content.texts.title
                // The toast of a rich notification contains only the ID and what is shown.
                if kind == .alert || !isToast {
                    extras.link = content.link
                    extras.data = Dictionary(
                        content.data.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
                }
            }
            let isPurposeRight =
                switch (kind, push.purpose) {
                case (.secure, .secure(let id)): id.text == Self.id.text
                case (.rich, .rich(let id, let type, let message)):
                    id.text == Self.id.text && type == (isToast ? nil : content.type)
                        && message == (isToast ? nil : content.texts.message)
                case (.alert, .alert(let text)): text == content.texts.message
                default: false
                }
            return isPurposeRight && push.extras == extras
                && push.placeholder == content.texts.placeholder
                && push.canReplacePlaceholder == (hasPlaceholder && !isToast)
        }
    }

    @Test("Every push is accepted by its push service and understood by its device")
    func everyPushIsAcceptedByItsPushServiceAndUnderstoodByItsDevice() async throws {
        var configuration = LocalHubConfiguration()
        configuration.devices = try Form.all.map { form in
            LocalHubDevice(
                user: form.description,
                platform: try #require(LocalHubPlatform(rawValue: form.platform.rawValue)))
        }
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await withLocalHub(configuration: configuration, logger: quiet) { address, hub in
            let client = try NotificationHubClient(
                connectionString: ConnectionString(
                    parsing: address.connectionString(.developmentFull)),
                hubName: HubName(address.hubName))
            let sender = HubPushSender(client: client)
            let now = Date()
            for form in Form.all {
                let body = PushBody(
                    kind: form.kind, platform: form.platform, hasPlaceholder: form.hasPlaceholder)
                let expires = now.addingTimeInterval(604_800)
                await sender.send(
                    PushPage(
                        platform: form.platform, contentType: body.contentType,
                        headers: body.headers(expires: expires, now: now),
                        pushes: [
                            Push(
                                number: 0, usernames: [try Username(form.description)],
                                body: body.bytes(form.content, expires: expires, now: now))
                        ], interval: nil)
                ) { results in
                    #expect(results.map(\.disposition) == [.accepted], "\(form)")
                }
                let refused = await hub.refused(for: form.description).map(\.reason)
                #expect(refused == [], "\(form)")
                let push = try #require(
                    await hub.received(by: form.description).first, "\(form)")
                let platform = try #require(DevicePlatform(rawValue: form.platform.rawValue))
                let understood = DevicePush(body: Data(push.body), platform: platform)
                #expect(form.isUnderstood(as: understood), "\(form): \(push.text)")
            }
            try await client.shutdown()
        }
    }
}
