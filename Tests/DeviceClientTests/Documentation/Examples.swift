import DeviceClient
import Foundation

/// The examples of the articles; ``ArticleTests`` compares them.
enum Examples {
    static func register(_ client: BackendClient, handle: String) async throws {
        // example
        do {
            try await client.register(platform: .fcm, handle: handle, tags: ["news"])
        } catch {
            guard error.isPassing else { throw error }
            print("Try again at the next start: \(error)")
        }
        // end
        // example
        try await client.unregister()
        // end
    }

    static func receive(
        _ client: BackendClient, _ push: Data, show: (NotificationID, String?, String) -> Bool
    ) async throws {
        // example
        switch try await client.handle(DevicePush(body: push, platform: .fcm)) {
        case .secure(let id, let text, let extras):
            if !show(id, extras.title, text) { try await client.forget(id) }
        case .generic(let id, let text):
            if !show(id, nil, text) { try await client.forget(id) }
        case .rich(let rich):
            let text = rich.message ?? "There is news."
            if !show(rich.id, rich.extras.title, text) { try await client.forget(rich.id) }
        case .alert, .nothing: break
        }
        // end
    }

    // example
    func open(_ extras: NotificationExtras, in browser: (URL) -> Void) {
        if let url = extras.url, url.scheme == "https" { browser(url) }
    }
    // end

    static func replace(
        _ client: BackendClient, _ push: Data, show: (NotificationID, String?, String) -> Bool
    ) async {
        // example
        let push = DevicePush(body: push, platform: .adm)
        switch await client.replacement(for: push) {
        case .notification(.secure(let id, let text, let extras), _):
            _ = show(id, extras.title, text)
        case .notification(.rich(let rich), _):
            _ = show(rich.id, rich.extras.title, rich.message ?? "")
        case .notification, .placeholder:
            if let id = push.id, let text = push.placeholder { _ = show(id, nil, text) }
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

    static func explain(_ client: BackendClient, _ id: NotificationID) async {
        // example
        do {
            try await client.markRead(id)
        } catch {
            switch error {
            case .gone: break  // It can no longer be read.
            case .credentialRefused, .noCredential: print("Sign in again.")
            case _ where error.isPassing: print("Try again later.")
            default: print(error, error.underlyingError ?? "")
            }
        }
        // end
    }
}
