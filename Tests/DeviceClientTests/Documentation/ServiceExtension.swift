// swift-format-ignore-file
// The code of the article about a notification service extension: the extension is parsed here, and compiled where there
// is UIKit.
import DeviceClient
import Foundation

// example
func openNotification(_ userInfo: [AnyHashable: Any], with client: BackendClient) async throws {
    let push = DevicePush(userInfo: userInfo)
    guard let id = push.id else { return }
    let content = try await client.fetch(id)
    if let text = content.text { print(text) }
    try await client.markRead(id)
}
// end

#if canImport(UIKit)
// example
import DeviceClient
import DeviceURLSession
import UserNotifications

final class NotificationService: UNNotificationServiceExtension {
    private static let client: BackendClient = {
        let folder = URL.applicationSupportDirectory
        do {
            return try BackendClient(
                origin: URL(string: "https://push.example")!,
                registration: InMemoryRegistrationIDStore(),
                shown: FileShownNotificationStore(file: folder.appending(path: "shown")),
                transport: URLSessionTransport(),
                // From the keychain group that the app and the extension share.
                credential: { SharedKeychain.token.map(DeviceCredential.token) })
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private var task: Task<Void, Never>?
    private var placeholder: UNNotificationContent?
    private var handOver: ((UNNotificationContent) -> Void)?

    override func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        (placeholder, handOver) = (request.content, contentHandler)
        let push = DevicePush(userInfo: request.content.userInfo)
        guard push.canReplacePlaceholder else { return finish() }
        task = Task { @MainActor in
            switch await Self.client.replacement(for: push) {
            case .notification(.secure(let id, let text, let extras), let isRepeat):
                await finish(text, id, extras, isRepeat: isRepeat)
            case .notification(.rich(let rich), let isRepeat):
                await finish(rich.message, rich.id, rich.extras, isRepeat: isRepeat)
            case .notification, .placeholder:
                finish()
            }
        }
    }

    // The thirty seconds are over: show the placeholder.
    override func serviceExtensionTimeWillExpire() {
        task?.cancel()
        finish()
    }

    private func finish(
        _ text: String?, _ id: NotificationID, _ extras: NotificationExtras, isRepeat: Bool?
    ) async {
        let content = placeholder?.mutableCopy() as? UNMutableNotificationContent
        if let text { content?.body = text }
        if let title = extras.title { content?.title = title }
        content?.userInfo["link"] = extras.link
        if isRepeat == true {
            // A repeat: remove the first one, which has already played its sound.
            content?.sound = nil
            await removeDelivered(id)
        }
        finish(content)
    }

    // The content handler may be called only once.
    private func finish(_ content: UNNotificationContent? = nil) {
        guard let handOver, let content = content ?? placeholder else { return }
        self.handOver = nil
        handOver(content)
    }

    private func removeDelivered(_ id: NotificationID) async {
        let center = UNUserNotificationCenter.current()
        let same = await center.deliveredNotifications().filter {
            DevicePush(userInfo: $0.request.content.userInfo).id == id
        }
        center.removeDeliveredNotifications(withIdentifiers: same.map(\.request.identifier))
    }
}
// end
#endif
