import Foundation
import NotificationHubs

/// The examples of the articles; ``ArticleTests`` compares them.
enum Examples {
    static func sendToTags(
        _ client: NotificationHubClient, _ notification: NativeNotification
    ) async throws {
        // example
        let tags = try TagExpression(parsing: "(sport && !muted)")
        let receipt = try await client.send(notification, to: tags)
        print(receipt.messageID ?? "This tier gives no ids.")
        // end
    }

    static func sendToEverybody(_ client: NotificationHubClient) async throws {
        // example
        try await client.broadcast(TemplateNotification(properties: ["title": "We are back"]))
        // end
    }

    static func sendToDevices(
        _ client: NotificationHubClient, _ notification: NativeNotification, tokens: [String]
    ) async throws {
        // example
        let handles = try tokens.map { try DeviceHandle($0) }
        for start in stride(from: 0, to: handles.count, by: DirectBatch.handleLimit) {
            let some = Array(handles[start...].prefix(DirectBatch.handleLimit))
            try await client.send(DirectBatch(notification, to: some))
        }
        // end
    }

    static func decide(
        _ client: NotificationHubClient, _ notification: NativeNotification, _ tags: TagExpression
    ) async throws {
        // example
        do throws(HubError) {
            try await client.send(notification, to: tags)
        } catch {
            switch error.disposition {
            case .retry(let delay): print("Send it again in \(delay ?? .seconds(5)).")
            case .unknown: print("It may have been sent; sending it again could deliver it twice.")
            case .rejected, .stop, .accepted: print(error)
            }
        }
        // end
    }

    static func sendMany(
        _ client: NotificationHubClient, ids: [String: String]
    ) async throws -> [BulkResult] {
        var failed: [BulkResult] = []
        // example
        var bulk = try BulkSend(
            format: .apple, headers: ["apns-push-type": "background", "apns-priority": "5"])
        for (user, id) in ids {
            try bulk.add(
                Array(#"{"aps":{"content-available":1},"id":"\#(id)"}"#.utf8),
                to: TagExpression(Tag("username:\(user)")))
        }
        for await batch in client.send(bulk) {
            failed += batch.filter { $0.disposition != .accepted }
        }
        // end
        return failed
    }

    static func schedule(
        _ client: NotificationHubClient, _ notification: NativeNotification, _ tags: TagExpression
    ) async throws {
        // example
        let receipt = try await client.schedule(
            notification, to: tags, at: Date.now.addingTimeInterval(3_600))
        // end
        // example
        if let id = receipt.messageID, try await client.cancelScheduled(id: id) == .alreadyGone {
            print("It has been sent already.")
        }
        // end
    }

    static func register(_ client: NotificationHubClient, token: String) async throws {
        // example
        let id = try await client.createRegistrationID()
        // Save the id first, so that a lost response does not leave a second registration.
        try await client.put(
            Registration(channel: .fcmV1(registrationID: token), tags: ["username:alice"]), id: id)
        // end
        // example
        if var registration = try await client.registration(id: id) {
            registration.tags.append("sport")
            try await client.update(registration)
        }
        try await client.deleteRegistration(id: id)
        // end
    }

    static func list(
        _ client: NotificationHubClient, kept: String?, keep: (String?) -> Void
    ) async throws {
        // example
        for try await registration in client.registrations(tag: try Tag("username:alice")) {
            print(registration.id ?? "")
        }
        // end
        // example
        let listing = client.registrations(pageSize: 100)
        var token = kept.flatMap { ListingToken($0) }
        repeat {
            let page = try await listing.page(at: token)
            print(page.registrations.count)
            token = page.next
            keep(token?.text)
        } while token != nil
        // end
    }

    static func install(_ client: NotificationHubClient, token: String) async throws {
        // example
        try await client.put(
            Installation(
                id: "5F1C", channel: .apple(deviceToken: token), tags: ["news"], userID: "alice"))
        try await client.patch(installation: "5F1C", [.addTag("sport"), .removeTag("news")])
        try await client.deleteInstallation(id: "5F1C")
        // end
    }

    static func invalid(_ client: NotificationHubClient, _ installation: Installation) async {
        // example
        do {
            try await client.put(installation)
        } catch {
            switch error.cause {
            case .invalidRegistration(let problem): print("Correct the installation. \(problem)")
            case .status(429), .noAnswer: print("Try again later.")
            default: print(error)
            }
        }
        // end
    }

    static func telemetry(_ client: NotificationHubClient, id: String) async throws {
        // example
        if let details = try await client.notificationDetails(id: id) {
            print(details.state, details.count(of: "Success", on: .apple))
        }
        // end
    }

    static func test(
        _ client: NotificationHubClient, _ notification: NativeNotification
    ) async throws {
        // example
        let outcome = try await client.testSend(notification, to: TagExpression(Tag("tester")))
        for result in outcome.results {
            print(result.registrationID ?? "", result.outcome)
        }
        // end
    }

    static func settings() -> [HubClientSettings] {
        // example
        let patient = HubClientSettings(retries: RetryPolicy(attempts: 5))
        let off = HubClientSettings(retries: .none)
        // end
        return [patient, off]
    }
}
