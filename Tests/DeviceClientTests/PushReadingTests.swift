import DeviceClient
import Foundation
import TestSupport
import Testing

/// Tests that every valid body of every platform is read, and nothing else is mistaken for one.
@Suite(.bounded) struct PushReadingTests {
    struct Case: Sendable {
        let body: String
        let platform: DevicePlatform
        let push: DevicePush

        init(_ platform: DevicePlatform, _ body: String, _ push: DevicePush) {
            self.platform = platform
            self.body = body
            self.push = push
        }
    }

    private static let id = NotificationID.sample.text

    static let known: [Case] = [
        Case(.apns, #"{"aps":{"content-available":1},"secureId":"\#(id)"}"#, .secure(.sample)),
        Case(.fcm, #"{"message":{"data":{"secureId":"\#(id)"}}}"#, .secure(.sample)),
        Case(.fcm, #"{"data":{"secureId":"\#(id)"}}"#, .secure(.sample)),
        Case(.fcm, #"{"secureId":"\#(id)"}"#, .secure(.sample)),
        Case(.wns, id, .secure(.sample)),
        Case(.wns, "\(id)\n", .secure(.sample)),
        Case(
            .apns,
            #"{"aps":{"content-available":1,"sound":""},"richId":"\#(id)","richMessage":"Hi \"you\"","richType":"img"}"#,
            .rich(.sample, type: "img", message: "Hi \"you\"")),
        Case(
            .fcm, #"{"message":{"data":{"richId":"\#(id)","richType":"url"}}}"#,
            .rich(.sample, type: "url", message: nil)),
        Case(
            .wns, #"{"richId":"\#(id)","richType":"own","richMessage":"😀"}"#,
            .rich(.sample, type: "own", message: "😀")),
        Case(.apns, #"{"aps":{"alert":"Hello"}}"#, .alert("Hello")),
        Case(
            .apns, #"{"aps":{"alert":{"title":"T","body":"Hello"}}}"#,
            .alert("Hello", extras: NotificationExtras(title: "T"))),
        Case(.fcm, #"{"message":{"notification":{"body":"Hello"}}}"#, .alert("Hello")),
        Case(.fcm, #"{"data":{"message":"From bob: hello"}}"#, .alert("From bob: hello")),
        Case(.fcm, #"{"message":"From bob: hello"}"#, .alert("From bob: hello")),
        Case(
            .wns,
            #"<toast><visual><binding template="ToastText01"><text id="1">a &lt;b&gt; &amp; é&#10;c</text></binding></visual></toast>"#,
            .alert("a <b> & é\nc")),
        Case(
            .wns,
            #"<?xml version="1.0"?><toast><visual><binding template="ToastText02"><text id="1">One</text> <text id="2">two</text></binding></visual></toast>"#,
            .alert("two", extras: NotificationExtras(title: "One"))),
        Case(.adm, #"{"data":{"secureId":"\#(id)"},"expiresAfter":60}"#, .secure(.sample)),
        Case(.browser, #"{"secureId":"\#(id)"}"#, .secure(.sample)),
    ]

    private static let extras = NotificationExtras(
        title: "T", link: "https://shop.example/sale", data: ["campaign": "spring"])
    private static let keys =
        #""title":"T","link":"https://shop.example/sale","campaign":"spring""#

    static let withExtras: [Case] = [
        Case(
            .apns,
            #"{"aps":{"content-available":1},"richId":"\#(id)","richType":"img","richMessage":"M",\#(keys)}"#,
            .rich(.sample, type: "img", message: "M", extras: extras)),
        Case(
            .fcm,
            #"{"message":{"data":{"richId":"\#(id)","richType":"img","richMessage":"M",\#(keys)},"android":{"priority":"high","ttl":"60s"}}}"#,
            .rich(.sample, type: "img", message: "M", extras: extras)),
        Case(
            .wns, #"{"richId":"\#(id)","richType":"img","richMessage":"M",\#(keys)}"#,
            .rich(.sample, type: "img", message: "M", extras: extras)),
        Case(
            .adm,
            #"{"data":{"richId":"\#(id)","richType":"img","richMessage":"M",\#(keys)},"expiresAfter":60}"#,
            .rich(.sample, type: "img", message: "M", extras: extras)),
        Case(
            .browser, #"{"richId":"\#(id)","richType":"img","richMessage":"M",\#(keys)}"#,
            .rich(.sample, type: "img", message: "M", extras: extras)),
        Case(
            .apns,
            #"{"aps":{"alert":{"title":"T","body":"M"},"badge":1,"sound":"default"},"link":"https://shop.example/sale","campaign":"spring"}"#,
            .alert("M", extras: extras)),
        Case(
            .fcm,
            #"{"message":{"notification":{"title":"T","body":"M"},"data":{"link":"https://shop.example/sale","campaign":"spring"}}}"#,
            .alert("M", extras: extras)),
        Case(
            .wns,
            #"<toast launch="link=https%3A%2F%2Fshop.example%2Fsale&amp;campaign=spring"><visual><binding template="ToastText02"><text id="1">T</text><text id="2">M</text></binding></visual></toast>"#,
            .alert("M", extras: extras)),
        Case(
            .adm, #"{"data":{"message":"M",\#(keys)},"expiresAfter":60}"#,
            .alert("M", extras: extras)),
        Case(.browser, #"{"message":"M",\#(keys)}"#, .alert("M", extras: extras)),
        // A secure push never contains more than its ID.
        Case(.browser, #"{"secureId":"\#(id)",\#(keys)}"#, .secure(.sample)),
        // Keys added by Google's SDK are not keys of the app.
        Case(
            .fcm,
            #"{"richId":"\#(id)","google.sent_time":"1","gcm.message_id":"2","from":"3","collapse_key":"4","own":"5"}"#,
            .rich(
                .sample, type: nil, message: nil, extras: NotificationExtras(data: ["own": "5"]))),
    ]

    /// A placeholder with the ID, and whether the app can replace it.
    static let withPlaceholder: [(Case, Bool)] = [
        (
            Case(
                .apns,
                #"{"aps":{"alert":{"body":"News"},"mutable-content":1},"secureId":"\#(id)"}"#,
                .secure(.sample, placeholder: "News")), true
        ),
        (
            Case(
                .apns,
                #"{"aps":{"alert":{"title":"T","body":"News"},"mutable-content":1},"richId":"\#(id)"}"#,
                .rich(
                    .sample, type: nil, message: nil, extras: NotificationExtras(title: "T"),
                    placeholder: "News")), true
        ),
        (
            Case(
                .fcm, #"{"message":{"data":{"secureId":"\#(id)","placeholder":"News"}}}"#,
                .secure(.sample, placeholder: "News")), true
        ),
        (
            Case(
                .adm,
                #"{"data":{"richId":"\#(id)","richMessage":"M","placeholder":"News"},"expiresAfter":60}"#,
                .rich(.sample, type: nil, message: "M", placeholder: "News")), true
        ),
        (
            Case(
                .browser, #"{"secureId":"\#(id)","placeholder":"News"}"#,
                .secure(.sample, placeholder: "News")), true
        ),
    ]

    @Test("The title, link and other keys are read from a push", arguments: withExtras)
    func titleLinkAndOtherKeysAreReadFromAPush(_ known: Case) {
        #expect(DevicePush(body: Data(known.body.utf8), platform: known.platform) == known.push)
    }

    @Test("A placeholder is read from a push", arguments: withPlaceholder)
    func placeholderIsReadFromAPush(_ known: Case, canReplace: Bool) {
        let push = DevicePush(body: Data(known.body.utf8), platform: known.platform)
        #expect(push == known.push)
        #expect(push.canReplacePlaceholder == canReplace)
    }

    @Test(
        "A placeholder shown by the system cannot be replaced",
        arguments: [
            // No extension runs for this push.
            (
                .apns,
                #"{"aps":{"alert":{"body":"News"},"content-available":1},"secureId":"\#(id)"}"#
            ),
            (.apns, #"{"aps":{"alert":"News","mutable-content":0},"richId":"\#(id)"}"#),
            // The system shows a toast before the app can run.
            (
                .wns,
                #"<toast launch="secureId=\#(id)"><visual><binding template="ToastText01"><text id="1">News</text></binding></visual></toast>"#
            ),
            (
                .wns,
                #"<toast launch="richId=\#(id)"><visual><binding template="ToastText02"><text id="1">T</text><text id="2">News</text></binding></visual></toast>"#
            ),
        ] as [(DevicePlatform, String)])
    func placeholderShownByTheSystemCannotBeReplaced(
        platform: DevicePlatform, body: String
    ) {
        let push = DevicePush(body: Data(body.utf8), platform: platform)
        #expect(push.id == .sample)
        #expect(push.placeholder == "News")
        #expect(!push.canReplacePlaceholder)
    }

    @Test("A push from hubsend is recognised on every platform", arguments: known)
    func pushFromHubsendIsRecognisedOnEveryPlatform(_ known: Case) {
        #expect(DevicePush(body: Data(known.body.utf8), platform: known.platform) == known.push)
    }

    static let foreign: [(DevicePlatform, String)] = [
        (.apns, ""), (.apns, "[]"), (.apns, "null"), (.apns, "{}"), (.apns, "{"), (.apns, "\u{0}"),
        (.apns, #"{"aps":{"content-available":1}}"#), (.apns, #"{"aps":1,"secureId":7}"#),
        (.apns, #"{"aps":{"alert":""}}"#), (.apns, #"{"aps":{"alert":7}}"#),
        (.apns, #"{"secureId":"../../etc/passwd"}"#), (.apns, #"{"secureId":"\#(id)a"}"#),
        (.apns, #"{"secureId":"\#(id.uppercased())"}"#),
        (.apns, #"{"secureId":"\#(id.dropLast())é"}"#),
        // A malformed ID is not replaced by another ID in the push.
        (.apns, #"{"secureId":"","richId":"\#(id)"}"#),
        (.fcm, #"{"message":{"data":7}}"#), (.fcm, #"{"data":{"richId":null}}"#),
        (.wns, ""), (.wns, "<"), (.wns, "<toast/>"), (.wns, "<tile><text>a</text></tile>"),
        (.wns, "<toast><text>a</toast>"),
        (.wns, #"<!DOCTYPE toast [<!ENTITY a "aaaa">]><toast><text>&a;</text></toast>"#),
        (.wns, "<toast><?a?><text>a</text></toast>"), (.wns, "<?a?><toast><text>a</text></toast>"),
        (
            .wns,
            #"<?xml version="1.0" encoding="UTF-7"?>+ADw-!DOCTYPE toast+AD4-<toast><text>a</text></toast>"#
        ),
        (.wns, #"{"secureId":null}"#), (.adm, #"{"data":{"secureId":"no"}}"#), (.adm, "{}"),
        (.browser, #"{"placeholder":"News"}"#), (.browser, "Hello"),
        (.wns, #"<toast launch="secureId=no"><text>a</text></toast>"#),
    ]

    @Test("A push from another sender causes no error", arguments: foreign)
    func pushFromAnotherSenderCausesNoError(_ platform: DevicePlatform, _ body: String) {
        #expect(DevicePush(body: Data(body.utf8), platform: platform) == .notOurs)
    }

    @Test("A body that is too long or too deeply nested causes no error")
    func bodyThatIsTooLongOrTooDeeplyNestedCausesNoError() {
        for body in [
            String(repeating: "[", count: 16_000), String(repeating: #"{"a":"#, count: 3_000),
            "<toast>" + String(repeating: "<a>", count: 5_000),
            #"{"secureId":"\#(Self.id)","a":"\#(String(repeating: "a", count: 16_384))"}"#,
        ] {
            for platform in DevicePlatform.allCases {
                #expect(DevicePush(body: Data(body.utf8), platform: platform) == .notOurs)
            }
        }
    }

    @Test("A push is read from the dictionary that an app receives")
    func pushIsReadFromTheDictionaryThatAnAppReceives() {
        let apple: [AnyHashable: Any] = [
            "aps": ["content-available": 1], "richId": Self.id, "richType": "img",
            "richMessage": "Hi",
        ]
        #expect(DevicePush(userInfo: apple) == .rich(.sample, type: "img", message: "Hi"))
        let firebase: [String: String] = ["secureId": Self.id]
        #expect(DevicePush(userInfo: firebase) == .secure(.sample))
        let own: [AnyHashable: Any] = [
            "aps": ["alert": "Hi"], "data": ["colour": "red"], 7: "seven",
        ]
        #expect(DevicePush(userInfo: own) == .alert("Hi"))
        #expect(DevicePush(userInfo: [:]) == .notOurs)
    }

    @Test("A damaged body never yields an invalid ID", arguments: 0..<8)
    func damagedBodyNeverYieldsAnInvalidID(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let all = Self.known + Self.withExtras + Self.withPlaceholder.map(\.0)
            guard let known = all.randomElement(using: &generator),
                let platform = DevicePlatform.allCases.randomElement(using: &generator)
            else { continue }
            var body = Array(known.body.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                Self.damage(&body, using: &generator)
            }
            // In every result, the ID is valid and the text is short enough.
            let push = DevicePush(body: Data(body), platform: platform)
            #expect(push.placeholder?.isEmpty != true)
            #expect(push.extras.data.count <= body.count)
            switch push.purpose {
            case .secure(let id): #expect(NotificationID(id.text) == id)
            case .rich(let id, let type, let message):
                #expect(NotificationID(id.text) == id)
                #expect((type?.utf8.count ?? 0) + (message?.utf8.count ?? 0) <= body.count * 3)
            case .alert(let text): #expect(!text.isEmpty && text.utf8.count <= body.count * 3)
            case .notOurs: break
            }
        }
    }

    private static func damage(_ body: inout [UInt8], using generator: inout SeededGenerator) {
        let place = Int.random(in: 0...body.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: body.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        case 1 where place < body.count: body.remove(at: place)
        case 2 where place < body.count:
            body[place] = Array("{}[]\",:<>&;0\\".utf8).randomElement(using: &generator) ?? 0
        default: body += body.prefix(place)
        }
        if body.count > 20_000 { body.removeLast(body.count - 20_000) }
    }
}
