// swift-format-ignore-file
// The code of the article about an iOS app: parsed here, compiled where there is UIKit.
#if canImport(UIKit)
// example
import DeviceClient
import DeviceURLSession
import UIKit
import UserNotifications

enum Push {
    static let client: BackendClient = {
        let folder = URL.applicationSupportDirectory
        do {
            return try BackendClient(
                origin: URL(string: "https://push.example")!,
                registration: FileRegistrationIDStore(file: folder.appending(path: "registration")),
                shown: FileShownNotificationStore(file: folder.appending(path: "shown")),
                transport: URLSessionTransport(),
                // Called for each request; nil if nobody is signed in.
                credential: { await Account.shared.token.map(DeviceCredential.token) })
        } catch {
            preconditionFailure("\(error)")
        }
    }()
}
// end

// example
@main
final class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
        let more = UNNotificationAction(identifier: "more", title: "More", options: .foreground)
        center.setNotificationCategories([
            UNNotificationCategory(identifier: "richPush", actions: [more], intentIdentifiers: [])
        ])
        center.requestAuthorization(options: [.alert, .sound]) { _, _ in }
        application.registerForRemoteNotifications()
        return true
    }

    func application(
        _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
    ) {
        Task {
            do {
                try await Push.client.register(deviceToken: token, tags: ["news"])
            } catch {
                // Not signed in, or no network: try again after the sign-in or at the next start.
            }
        }
    }
}
// end

// example
extension AppDelegate {
    // The async form of application(_:didReceiveRemoteNotification:fetchCompletionHandler:).
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) async -> UIBackgroundFetchResult {
        do {
            switch try await Push.client.handle(DevicePush(userInfo: userInfo)) {
            case .secure(let id, let text, let extras):
                try await show(text, id, extras)
            case .generic(let id, let text):
                try await show(text, id)
            case .rich(let rich):
                let text = rich.message ?? "There is news."
                try await show(text, rich.id, rich.extras, type: rich.type, "richPush")
            case .alert, .nothing:
                return .noData  // The system has shown it, or there is nothing to show.
            }
            return .newData
        } catch {
            return .failed  // Does not count as shown: the next push with this id tries again.
        }
    }

    private func show(
        _ text: String, _ id: NotificationID, _ extras: NotificationExtras = .none,
        type: String? = nil, _ category: String = ""
    ) async throws {
        let content = UNMutableNotificationContent()
        content.title = extras.title ?? ""
        content.body = text
        content.categoryIdentifier = category
        content.userInfo = ["id": id.text, "type": type ?? "", "link": extras.link ?? ""]
        do {
            try await UNUserNotificationCenter.current().add(
                UNNotificationRequest(identifier: id.text, content: content, trigger: nil))
        } catch {
            // It was not shown, so `handle` must return it again.
            try await Push.client.forget(id)
            throw error
        }
    }
}
// end

// example
extension AppDelegate {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let info = response.notification.request.content.userInfo
        guard let id = (info["id"] as? String).flatMap({ NotificationID($0) }) else { return }
        do {
            if response.notification.request.content.categoryIdentifier == "richPush" {
                await open(try await Push.client.fetch(id), type: info["type"] as? String)
            }
            try await Push.client.markRead(id)
        } catch {
            await Screens.showTrouble(error.localizedDescription)
        }
    }

    @MainActor
    private func open(_ content: NotificationContent, type: String?) {
        switch type {
        case "img":
            if let image = UIImage(data: content.data) { Screens.show(image) }
        case "url":
            // The sender chose the link: open only what you expect.
            if let url = content.url, url.scheme == "https" { UIApplication.shared.open(url) }
        case "text":
            if let text = content.text { Screens.show(text) }
        case "voucher":  // The app's own type, from `payload.type` in the campaign file.
            if let voucher = try? JSONDecoder().decode(Voucher.self, from: content.data) {
                Screens.show(voucher)
            }
        default:
            break  // A type for a newer version of the app.
        }
    }
}
// end

/// Stand-ins for the app's own types.
@MainActor enum Account {
    static let shared = Session()
}

final class Session: Sendable {
    let token: String? = nil
}

@MainActor enum Screens {
    static func show(_ image: UIImage) {}
    static func show(_ text: String) {}
    static func show(_ voucher: Voucher) {}
    static func showTrouble(_ text: String) {}
}

struct Voucher: Decodable {}
#endif
