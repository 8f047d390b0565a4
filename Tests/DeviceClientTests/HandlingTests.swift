import DeviceClient
import Foundation
import Synchronization
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct HandlingTests {
    private static let secret =
        #"{"Id":"\#(NotificationID.sample)","Payload":"Your code is 7","Read":false}"#

    @Test("A secure push shows the fetched text") func securePushShowsTheFetchedText() async throws
    {
        try await ScriptedBackend.run(answering: .text(Self.secret)) { origin, backend in
            let client = try BackendClient.forTests(origin)
            #expect(
                try await client.handle(.secure(.sample))
                    == .secure(id: .sample, text: "Your code is 7"))
            #expect(
                backend.requests.map(\.line) == ["GET /api/notifications/\(NotificationID.sample)"])
        }
    }

    @Test("A rich push shows its message and the fetched content")
    func richPushShowsItsMessageAndTheFetchedContent() async throws {
        let picture = (0..<70_000).map { UInt8(truncatingIfNeeded: $0) }
        try await ScriptedBackend.run(
            answering: ScriptedAnswer(headers: ["Content-Type": "image/png"], body: picture)
        ) { origin, backend in
            let client = try BackendClient.forTests(origin)
            let shown = try await client.handle(.rich(.sample, type: "img", message: "Look"))
            guard case .rich(let rich) = shown else {
                Issue.record("it was \(shown)")
                return
            }
            #expect(rich.id == .sample && rich.type == "img" && rich.message == "Look")
            #expect(
                rich.content == NotificationContent(data: Data(picture), mediaType: "image/png"))
            #expect(backend.requests.count == 1)
        }
    }

    @Test("A private message is also fetched") func privateMessageIsAlsoFetched() async throws {
        try await ScriptedBackend.run { request, _ in
            request.target.hasSuffix("?as=json")
                ? .text(
                    #"{"Id":"\#(NotificationID.sample)","Kind":"rich","RichType":"url","Message":"Hi Alice","MediaType":"text/uri-list","Read":false}"#
                )
                : ScriptedAnswer(
                    headers: ["Content-Type": "text/uri-list"],
                    body: Array("# ours\r\nhttps://example.com/a?b=c\r\n".utf8))
        } _: { origin, _ in
            let client = try BackendClient.forTests(origin)
            let shown = try await client.handle(.rich(.sample, type: nil, message: nil))
            guard case .rich(let rich) = shown else {
                Issue.record("it was \(shown)")
                return
            }
            #expect(rich.message == "Hi Alice" && rich.type == "url")
            #expect(rich.content.url?.absoluteString == "https://example.com/a?b=c")
        }
    }

    @Test("A push with a repeated ID is shown once, even after a restart")
    func pushWithARepeatedIDIsShownOnceEvenAfterARestart() async throws {
        let folder = try TemporaryFolder()
        let file = URL(filePath: folder.file("shown"))
        try await ScriptedBackend.run(answering: .text(Self.secret)) { origin, backend in
            for isFirst in [true, false] {
                let client = try BackendClient.forTests(
                    origin, shown: FileShownNotificationStore(file: file))
                let first = try await client.handle(.secure(.sample))
                #expect((first == .nothing(.shownBefore)) == !isFirst)
                #expect(try await client.handle(.secure(.sample)) == .nothing(.shownBefore))
            }
            #expect(backend.requests.count == 1)
        }
    }

    @Test("Concurrent pushes with the same ID are shown once")
    func concurrentPushesWithTheSameIDAreShownOnce() async throws {
        try await ScriptedBackend.run(answering: .text(Self.secret)) { origin, backend in
            let client = try BackendClient.forTests(origin)
            let shown = try await withThrowingTaskGroup(of: DeviceNotification.self) { group in
                for _ in 0..<20 { group.addTask { try await client.handle(.secure(.sample)) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(shown.count { $0 != .nothing(.shownBefore) } == 1)
            #expect(backend.requests.count == 1)
        }
    }

    @Test("A failed fetch is retried when the next push arrives")
    func failedFetchIsRetriedWhenTheNextPushArrives() async throws {
        try await ScriptedBackend.run { _, number in
            number == 0 ? .status(503, ["Retry-After": "3"]) : .text(Self.secret)
        } _: { origin, _ in
            let client = try BackendClient.forTests(origin)
            let error = await #expect(throws: BackendClientError.self) {
                try await client.handle(.secure(.sample))
            }
            #expect(error?.isPassing == true)
            #expect(error?.retryAfter == .seconds(3))
            #expect(
                try await client.handle(.secure(.sample))
                    == .secure(id: .sample, text: "Your code is 7"))
        }
    }

    @Test("After a refused sign-in, the generic text is shown once", arguments: [401, 403])
    func afterARefusedSignInTheGenericTextIsShownOnce(status: Int) async throws {
        try await ScriptedBackend.run(answering: .status(status)) { origin, backend in
            var settings = BackendClientSettings()
            settings.genericText = "Bitte öffnen"
            let client = try BackendClient.forTests(origin, settings: settings)
            #expect(
                try await client.handle(.secure(.sample))
                    == .generic(id: .sample, text: "Bitte öffnen"))
            #expect(try await client.handle(.secure(.sample)) == .nothing(.shownBefore))
            #expect(backend.requests.count == 1)
        }
    }

    @Test("A signed-out user sees the generic text, and nothing is sent")
    func signedOutUserSeesTheGenericTextAndNothingIsSent() async throws {
        try await ScriptedBackend.run(answering: .text(Self.secret)) { origin, backend in
            let client = try BackendClient.forTests(origin) { nil }
            #expect(
                try await client.handle(.rich(.sample, type: "img", message: "private"))
                    == .generic(
                        id: .sample, text: "You have a new message. Open the app to read it."))
            #expect(backend.requests.isEmpty)
        }
    }

    @Test("An expired notification is not shown", arguments: [404, 410])
    func expiredNotificationIsNotShown(status: Int) async throws {
        try await ScriptedBackend.run(answering: .status(status)) { origin, _ in
            let client = try BackendClient.forTests(origin)
            #expect(try await client.handle(.secure(.sample)) == .nothing(.gone))
            await #expect(throws: BackendClientError.gone) { try await client.markRead(.sample) }
        }
    }

    @Test("A push without an ID fetches nothing") func pushWithoutAnIDFetchesNothing() async throws
    {
        let client = try BackendClient.forTests("https://backend.invalid")
        #expect(try await client.handle(.alert("Hello")) == .alert("Hello"))
        #expect(try await client.handle(.notOurs) == .nothing(.notOurs))
    }

    @Test("Unread notifications are fetched page by page")
    func unreadNotificationsAreFetchedPageByPage() async throws {
        try await ScriptedBackend.run { request, _ in
            let isFirst = !request.target.contains("after=")
            let ids = isFirst ? [NotificationID.sample, .other] : [.third]
            let list = ids.map { #"{"Id":"\#($0)","Kind":"secure","RichType":null,"Read":false}"# }
            var answer = ScriptedAnswer.text("[\(list.joined(separator: ","))]")
            if isFirst { answer.headers["Link"] = "</api/notifications?x>; rel=\"next\"" }
            return answer
        } _: { origin, backend in
            let client = try BackendClient.forTests(origin)
            let first = try await client.unread()
            #expect(first.notifications.map(\.id) == [.sample, .other])
            #expect(first.notifications.allSatisfy { !$0.isRich && !$0.isRead && $0.type == nil })
            let second = try await client.unread(after: first.next)
            #expect(second.notifications.map(\.id) == [.third])
            #expect(second.next == nil)
            #expect(
                backend.requests.map(\.target) == [
                    "/api/notifications?unread=true",
                    "/api/notifications?unread=true&after=\(NotificationID.other)",
                ])
        }
    }

    @Test(
        "A response that violates the protocol causes an error",
        arguments: ["", "{}", "[7]", #"{"Payload":7}"#, "\u{FFFD}"])
    func responseThatViolatesTheProtocolCausesAnError(answer: String) async throws {
        try await ScriptedBackend.run(answering: .text(answer)) { origin, _ in
            let client = try BackendClient.forTests(origin)
            await #expect(throws: BackendClientError.answerUnreadable) {
                try await client.handle(.secure(.sample))
            }
            await #expect(throws: BackendClientError.answerUnreadable) {
                try await client.unread()
            }
        }
    }

    @Test("Marking a notification as read informs the backend")
    func markingANotificationAsReadInformsTheBackend() async throws {
        try await ScriptedBackend.run(answering: .status(204)) { origin, backend in
            try await BackendClient.forTests(origin).markRead(.sample)
            #expect(
                backend.requests.map(\.line) == [
                    "PUT /api/notifications/\(NotificationID.sample)/read"
                ])
        }
    }
}
