import CampaignCore
import Foundation
import FoundationXML
import TestSupport
import Testing

/// Tests push bodies, which are written without an encoder, by reading them with general parsers.
@Suite(.bounded) struct PushBodyReadBackTests {
    private struct Aps: Decodable { let alert: String }
    private struct Alert: Decodable { let aps: Aps }
    private struct Silent: Decodable {
        let richId: String
        let richType: String
        let richMessage: String
    }
    private struct FCM<Message: Decodable>: Decodable { let message: Message }
    private struct FCMData: Decodable { let data: Silent }
    private struct FCMAlert: Decodable {
        struct Notification: Decodable { let body: String }
        let notification: Notification
    }

    static let texts = [
        "", "Hi", "\"quoted\" \\ back/slash", "<b>&amp;\"'</b> ]]>", "größe 日本 👍🏽 👨‍👩‍👧",
        "line\nnext\ttab\rreturn\r\n", "\u{2028}\u{2029}\u{FEFF}", "}},\"aps\":{\"sound\":\"x\"",
        "</text><text id=\"2\">x", String(repeating: "é", count: 3000), " leading and trailing ",
    ]

    /// Every control character; JSON can contain them, but XML cannot.
    static let controls = String(
        String.UnicodeScalarView((0...0x9F).compactMap(Unicode.Scalar.init)))

    private func body(_ kind: CampaignKind, _ platform: Platform, _ text: String) -> Data {
        let content = PushContent(
            notification: NotificationID.placeholder, type: text, texts: Texts(message: text))
        let now = Date(timeIntervalSince1970: 1_796_115_600)
        return Data(
            PushBody(kind: kind, platform: platform)
                .bytes(content, expires: now.addingTimeInterval(60), now: now))
    }

    private func isSame(_ left: String, _ right: String) -> Bool {
        // Compares scalars, because `==` ignores how a character is composed.
        left.unicodeScalars.elementsEqual(right.unicodeScalars)
    }

    @Test("Text arrives intact in every JSON body", arguments: texts + [controls])
    func textArrivesIntactInEveryJSONBody(text: String) throws {
        let decoder = JSONDecoder()
        let apns = try decoder.decode(Silent.self, from: body(.rich, .apns, text))
        let fcm = try decoder.decode(FCM<FCMData>.self, from: body(.rich, .fcm, text)).message.data
        let wns = try decoder.decode(Silent.self, from: body(.rich, .wns, text))
        for silent in [apns, fcm, wns] {
            #expect(silent.richId == NotificationID.placeholder.text)
            #expect(isSame(silent.richType, text))
            #expect(isSame(silent.richMessage, text))
        }
        let alert = try decoder.decode(Alert.self, from: body(.alert, .apns, text))
        #expect(isSame(alert.aps.alert, text))
        let shown = try decoder.decode(FCM<FCMAlert>.self, from: body(.alert, .fcm, text))
        #expect(isSame(shown.message.notification.body, text))
    }

    @Test(
        "Text can never add a key to a silent push", arguments: texts + [controls],
        [CampaignKind.secure, .rich])
    func textCanNeverAddAKeyToASilentPush(text: String, kind: CampaignKind) throws {
        let object = try #require(
            JSONSerialization.jsonObject(with: body(kind, .apns, text)) as? [String: Any])
        let keys: Set = kind == .secure ? ["secureId"] : ["richId", "richType", "richMessage"]
        #expect(Set(object.keys) == keys.union(["aps"]))
        let aps = try #require(object["aps"] as? [String: Int])
        #expect(aps == ["content-available": 1])
    }

    @Test("Text arrives intact in a toast", arguments: texts)
    func textArrivesIntactInAToast(text: String) throws {
        let toast = try #require(ToastReader.read(body(.alert, .wns, text)))
        #expect(toast.path == ["toast", "visual", "binding", "text"])
        #expect(toast.template == "ToastText01")
        #expect(isSame(toast.text, text))
    }

    @Test("Characters that XML cannot contain are replaced in a toast")
    func charactersThatXMLCannotContainAreReplacedInAToast() throws {
        let toast = try #require(ToastReader.read(body(.alert, .wns, "a\u{1}b\u{0}c\u{FFFE}d")))
        #expect(toast.text == "a\u{FFFD}b\u{FFFD}c\u{FFFD}d")
        let all = try #require(ToastReader.read(body(.alert, .wns, Self.controls)))
        #expect(all.text.unicodeScalars.count == Self.controls.unicodeScalars.count)
    }

    @Test(
        "Characters that XML cannot contain are recognised",
        arguments: [
            ("\t", true), ("\n", true), ("\r", true), (" ", true), ("é", true), ("👍", true),
            ("\u{0}", false), ("\u{8}", false), ("\u{1F}", false), ("\u{FFFE}", false),
            ("\u{FFFF}", false), ("\u{FFFD}", true), ("\u{10FFFF}", true),
        ] as [(Unicode.Scalar, Bool)])
    func charactersThatXMLCannotContainAreRecognised(scalar: Unicode.Scalar, canHold: Bool) {
        #expect(XMLText.canHold(scalar) == canHold)
    }

    /// A push with the same text everywhere.
    private func full(_ kind: CampaignKind, _ platform: Platform, _ text: String) -> Data {
        let now = Date(timeIntervalSince1970: 1_796_115_600)
        let content = PushContent(
            kind: kind, isMessagePrivate: false,
            options: PushOptions(badge: 1, sound: text, thread: text),
            notification: .placeholder, type: text,
            texts: Texts(title: text, message: text, placeholder: text), link: text,
            data: ["key": text])
        return Data(
            PushBody(kind: kind, platform: platform, hasPlaceholder: true)
                .bytes(content, expires: now.addingTimeInterval(60), now: now))
    }

    private static let keys: [CampaignKind: [Platform: Set<String>]] = [
        .secure: [
            .apns: ["aps", "secureId"], .fcm: ["secureId", "placeholder"],
            .adm: ["secureId", "placeholder"], .browser: ["secureId", "placeholder"],
        ],
        .rich: [
            .apns: ["aps", "richId", "richType", "richMessage", "link", "key"],
            .fcm: ["richId", "richType", "richMessage", "title", "placeholder", "link", "key"],
            .adm: ["richId", "richType", "richMessage", "title", "placeholder", "link", "key"],
            .browser: ["richId", "richType", "richMessage", "title", "placeholder", "link", "key"],
        ],
        .alert: [
            .apns: ["aps", "link", "key"], .fcm: ["link", "key"],
            .adm: ["message", "title", "link", "key"],
            .browser: ["message", "title", "link", "key"],
        ],
    ]

    @Test(
        "Text in an option can never add a key to a push", arguments: texts + [controls],
        CampaignKind.allCases)
    func textInAnOptionCanNeverAddAKeyToAPush(text: String, kind: CampaignKind) throws {
        for (platform, keys) in try #require(Self.keys[kind]) {
            let top = try #require(
                JSONSerialization.jsonObject(with: full(kind, platform, text)) as? [String: Any])
            let object: [String: Any]
            switch platform {
            case .fcm:
                let message = try #require(top["message"] as? [String: Any])
                let notification: Set = kind == .alert ? ["notification"] : []
                #expect(Set(message.keys) == notification.union(["data", "android"]))
                object = try #require(message["data"] as? [String: Any])
            case .adm:
                #expect(Set(top.keys) == ["data", "expiresAfter"])
                object = try #require(top["data"] as? [String: Any])
            case .apns, .browser, .wns: object = top
            }
            #expect(Set(object.keys) == keys)
            for (key, value) in object where key != "aps" && !key.hasSuffix("Id") {
                #expect(isSame(try #require(value as? String), text), "\(platform) \(key)")
            }
        }
    }

    @Test(
        "Text can never add a key to an APNs alert", arguments: texts + [controls],
        CampaignKind.allCases)
    func textCanNeverAddAKeyToAnAPNsAlert(text: String, kind: CampaignKind) throws {
        let top = try #require(
            JSONSerialization.jsonObject(with: full(kind, .apns, text)) as? [String: Any])
        let aps = try #require(top["aps"] as? [String: Any])
        #expect(
            Set(aps.keys)
                == Set(["alert", "badge", "sound", "thread-id"])
                .union(kind == .alert ? [] : ["mutable-content"]))
        let alert = try #require(aps["alert"] as? [String: String])
        #expect(Set(alert.keys) == (kind == .secure ? ["body"] : ["title", "body"]))
        #expect(alert.values.allSatisfy { isSame($0, text) })
    }

    @Test("Text can never add an element to a toast", arguments: texts, CampaignKind.allCases)
    func textCanNeverAddAnElementToAToast(text: String, kind: CampaignKind) throws {
        let toast = try #require(ToastReader.read(full(kind, .wns, text)))
        let count = kind == .secure ? 1 : 2
        #expect(toast.path == ["toast", "visual", "binding"] + repeatElement("text", count: count))
        #expect(toast.texts.count == count && toast.texts.allSatisfy { isSame($0, text) })
        let launch = try #require(toast.launch)
        switch kind {
        case .secure: #expect(launch == "secureId=\(NotificationID.placeholder)")
        case .rich: #expect(launch == "richId=\(NotificationID.placeholder)")
        case .alert:
            let items = try #require(URLComponents(string: "?" + launch)?.queryItems)
            #expect(items.map(\.name) == ["link", "key"])
            #expect(items.allSatisfy { isSame($0.value ?? "", text) })
        }
    }
}
