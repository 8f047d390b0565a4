import DeviceClient
import Foundation
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct ExtrasTests {
    private static let keys =
        #""title":"T","link":"https://shop.example/sale","data":{"campaign":"spring"}"#
    private static let extras = NotificationExtras(
        title: "T", link: "https://shop.example/sale", data: ["campaign": "spring"])

    @Test("A secure notification has the backend's extras")
    func secureNotificationHasTheBackendsExtras() async throws {
        try await ScriptedBackend.run { _, _ in
            .text(#"{"Id":"\#(NotificationID.sample)","Payload":"Hi","Read":false,\#(Self.keys)}"#)
        } _: { origin, _ in
            let client = try BackendClient.forTests(origin)
            #expect(
                try await client.handle(.secure(.sample))
                    == .secure(id: .sample, text: "Hi", extras: Self.extras))
            #expect(try await client.fetchText(.other) == "Hi")
        }
    }

    @Test(
        "A rich notification has extras from the push or the backend",
        arguments: [nil, "Look"] as [String?])
    func richNotificationHasExtrasFromThePushOrTheBackend(message: String?) async throws {
        try await ScriptedBackend.run { request, _ in
            request.target.hasSuffix("?as=json")
                ? .text(
                    #"{"Id":"\#(NotificationID.sample)","Kind":"rich","Message":"Look","Read":false,\#(Self.keys)}"#
                ) : ScriptedAnswer(headers: ["Content-Type": "image/png"], body: [1])
        } _: { origin, backend in
            let client = try BackendClient.forTests(origin)
            let push = DevicePush.rich(
                .sample, type: "img", message: message,
                extras: message == nil ? .none : Self.extras)
            guard case .rich(let rich) = try await client.handle(push) else {
                Issue.record("it was something else")
                return
            }
            #expect(rich.message == "Look" && rich.extras == Self.extras)
            #expect(backend.requests.count == (message == nil ? 2 : 1))
        }
    }

    @Test("An alert keeps the extras of its push") func alertKeepsTheExtrasOfItsPush() async throws
    {
        let client = try BackendClient.forTests("https://backend.invalid")
        #expect(
            try await client.handle(.alert("Hi", extras: Self.extras))
                == .alert("Hi", extras: Self.extras))
    }

    @Test("Unread notifications also have extras")
    func unreadNotificationsAlsoHaveExtras() async throws {
        try await ScriptedBackend.run { _, _ in
            .text(#"[{"Id":"\#(NotificationID.sample)","Kind":"rich","Read":false,\#(Self.keys)}]"#)
        } _: { origin, _ in
            let page = try await BackendClient.forTests(origin).unread()
            #expect(page.notifications.map(\.extras) == [Self.extras])
        }
    }

    @Test(
        "Extras of the wrong type make a response unreadable",
        arguments: [#""title":7"#, #""link":{}"#, #""data":[]"#, #""data":{"a":1}"#])
    func extrasOfTheWrongTypeMakeAResponseUnreadable(keys: String) async throws {
        let answer = ScriptedAnswer.text(#"{"Payload":"Hi",\#(keys)}"#)
        try await ScriptedBackend.run(answering: answer) { origin, _ in
            await #expect(throws: BackendClientError.answerUnreadable) {
                try await BackendClient.forTests(origin).handle(.secure(.sample))
            }
        }
    }

    @Test(
        "A link is a URL with a scheme",
        arguments: [
            ("https://shop.example/sale", "https"), ("myapp://sale", "myapp"), ("sale", nil),
            ("", nil), (nil, nil),
        ] as [(String?, String?)])
    func linkIsAURLWithAScheme(link: String?, scheme: String?) {
        #expect(NotificationExtras(link: link).url?.scheme == scheme)
    }
}
