import DeviceClient
import Foundation

/// What the articles show; ``ArticleTests`` holds them to it.
enum Examples {
    static func register(_ client: BackendClient, handle: String) async throws {
        // example
        do {
            try await client.register(platform: .fcm, handle: handle, tags: ["news"])
        } catch let error as BackendClientError where error.isPassing {
            print("Try it again at the next start: \(error)")
        }
        // end
        // example
        try await client.unregister()
        // end
    }

    static func receive(
        _ client: BackendClient, _ push: Data, show: (NotificationID, String) -> Bool
    ) async throws {
        // example
        switch try await client.handle(DevicePush(body: push, platform: .fcm)) {
        case .secure(let id, let text), .generic(let id, let text):
            if !show(id, text) { try await client.forget(id) }
        case .rich(let rich):
            if !show(rich.id, rich.message ?? "There is news.") { try await client.forget(rich.id) }
        case .alert, .nothing: break
        }
        // end
    }

    static func fetch(
        _ client: BackendClient, _ id: NotificationID, show: (NotificationMetadata) -> Void
    ) async throws {
        // example
        let content = try await client.fetch(id)
        if let text = content.text { print(text) }
        try await client.markRead(id)
        // end
        // example
        var page = try await client.unread()
        page.notifications.forEach(show)
        while let next = page.next {
            page = try await client.unread(after: next)
            page.notifications.forEach(show)
        }
        // end
    }
}
