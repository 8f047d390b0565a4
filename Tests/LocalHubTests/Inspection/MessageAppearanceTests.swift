import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct MessageAppearanceTests {
    private func appearance(
        _ body: String, _ platform: LocalHubPlatform, _ headers: [String: String] = [:]
    ) -> MessageAppearance {
        appearance(Array(body.utf8), platform, headers)
    }

    private func appearance(
        _ body: [UInt8], _ platform: LocalHubPlatform, _ headers: [String: String] = [:]
    ) -> MessageAppearance {
        MessageAppearance(
            of: ReceivedPush(
                notificationID: "n", platform: platform, headers: headers, body: body,
                time: HubUnderTest.now, outcome: .success))
    }

    private func ids(_ appearance: MessageAppearance) -> [String] {
        appearance.ids.map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "An alert is shown with its title and text",
        arguments: [
            (.apns, #"{"aps":{"alert":"Hi \u0001there"}}"#, nil, "Hi  there"),
            (.apns, #"{"aps":{"alert":{"title":"T","body":"B"},"content-available":1}}"#, "T", "B"),
            (.apns, #"{"aps":{"alert":{"title-loc-key":"K","loc-key":"L"}}}"#, "K", "L"),
            (.fcm, #"{"message":{"notification":{"title":"T","body":"B"}}}"#, "T", "B"),
            (
                .fcm,
                #"{"message":{"notification":{"title":"T","body":"B"},"android":{"notification":{"body":"A"}}}}"#,
                "T", "A"
            ),
            (.gcm, #"{"notification":{"title":"T","body":"B"}}"#, "T", "B"),
            (.adm, #"{"notification":{"body":"B"}}"#, nil, "B"),
            (
                .wns,
                #"<toast><visual><binding template="ToastText01"><text id="1">a &lt; b</text></binding></visual></toast>"#,
                nil, "a < b"
            ),
            (
                .wns,
                "<?xml version=\"1.0\" encoding=\"utf-16\"?><toast><visual><binding><text>T</text><group><subgroup><text>B</text><text>C</text></subgroup></group></binding></visual></toast>",
                "T", "B C"
            ),
            (
                .mpns,
                #"<wp:Notification xmlns:wp="WPNotification"><wp:Toast><wp:Text1>T</wp:Text1><wp:Text2>B</wp:Text2></wp:Toast></wp:Notification>"#,
                "T", "B"
            ),
            (.browser, #"{"title":"T","body":"B"}"#, "T", "B"),
            (.browser, #"{"notification":{"title":"T"}}"#, "T", nil),
            (.baidu, #"{"title":"T","description":"B"}"#, "T", "B"),
            (.xiaomi, #"{"title":"T","description":"B"}"#, "T", "B"),
        ] as [(LocalHubPlatform, String, String?, String?)])
    func alertIsShownWithItsTitleAndText(
        platform: LocalHubPlatform, body: String, title: String?, text: String?
    ) {
        let found = appearance(body, platform)
        #expect(found.kind == .alert)
        #expect(found.title == title)
        #expect(found.text == text)
        #expect(found.ids.isEmpty)
    }

    @Test(
        "A silent push shows its IDs",
        arguments: [
            (
                .apns, #"{"aps":{"content-available":1},"secureId":"a","richId":"b","x":"c"}"#, [:],
                ["secureId=a", "richId=b"]
            ),
            (
                .fcm, #"{"message":{"data":{"secureId":"a"},"android":{"priority":"high"}}}"#, [:],
                ["secureId=a"]
            ),
            (.gcm, #"{"data":{"richId":"a"}}"#, [:], ["richId=a"]),
            (.adm, #"{"data":{"id":"42"}}"#, [:], []),
            (
                .wns, "abcdefghijklmnopqrstuvwx27", ["x-wns-type": "wns/raw"],
                ["secureId=abcdefghijklmnopqrstuvwx27"]
            ),
            (.wns, #"{"richId":"a","richType":"img"}"#, ["x-wns-type": "WNS/Raw"], ["richId=a"]),
            (
                .baidu, #"{"custom_content":{"secureId":"a"}}"#, ["x-baidu-message-type": "0"],
                ["secureId=a"]
            ),
            (.xiaomi, #"{"pass_through":1,"secureId":"a"}"#, [:], ["secureId=a"]),
        ] as [(LocalHubPlatform, String, [String: String], [String])])
    func silentPushShowsItsIDs(
        platform: LocalHubPlatform, body: String, headers: [String: String], expected: [String]
    ) {
        let found = appearance(body, platform, headers)
        #expect(found.kind == .silent)
        #expect(found.title == nil)
        #expect(found.text == nil)
        #expect(ids(found) == expected)
    }

    @Test(
        "An unreadable body is shown as data",
        arguments: [
            (.apns, "", [:]), (.apns, "{", [:]), (.apns, "[]", [:]), (.apns, "{}", [:]),
            (.apns, #"{"aps":{"badge":[3]}}"#, [:]), (.apns, #"{"aps":{"alert":" "}}"#, [:]),
            (.apns, #"{"aps":{"alert":[1]}}"#, [:]), (.fcm, #"{"data":{"secureId":"a"}}"#, [:]),
            (.fcm, #"{"message":{}}"#, [:]), (.fcm, #"{"message":{"notification":{}}}"#, [:]),
            (.wns, "hello", ["x-wns-type": "wns/raw"]),
            (.wns, "<tile/>", ["x-wns-type": "wns/tile"]),
            (.wns, "<badge value=\"3\"/>", [:]), (.wns, "<toast", [:]), (.wns, "<toast/>", [:]),
            (
                .wns,
                "<!DOCTYPE toast><toast><visual><binding><text>x</text></binding></visual></toast>",
                [:]
            ), (.mpns, "<a/>", [:]), (.mpns, "raw", [:]), (.browser, "hello", [:]),
            (.baidu, "x", [:]), (.xiaomi, "1", [:]),
        ] as [(LocalHubPlatform, String, [String: String])])
    func unreadableBodyIsShownAsData(
        platform: LocalHubPlatform, body: String, headers: [String: String]
    ) {
        #expect(appearance(body, platform, headers) == .data)
    }

    @Test("Malformed bodies are shown as data", arguments: LocalHubPlatform.allCases)
    func malformedBodiesAreShownAsData(platform: LocalHubPlatform) {
        let deep = [UInt8](repeating: UInt8(ascii: "["), count: 8_000)
        #expect(appearance(deep, platform) == .data)
        #expect(appearance([0xFF, 0x00, 0xC3], platform) == .data)
        #expect(appearance([UInt8](repeating: UInt8(ascii: "<"), count: 8_000), platform) == .data)
        // A body larger than any push service accepts is not parsed.
        let large = #"{"aps":{"alert":"\#(String(repeating: "x", count: 9_000))"}}"#
        #expect(appearance(large, platform) == .data)
    }

    @Test("Text is cut, and control characters are removed")
    func textIsCutAndControlCharactersAreRemoved() throws {
        let found = appearance(
            #"{"aps":{"alert":{"title":"a\nb\u0085c\u001b[31m","body":"\#(String(repeating: "é", count: 1_001))"}}}"#,
            .apns)
        #expect(found.title == "a b c [31m")
        #expect(found.text == String(repeating: "é", count: 1_000) + "…")
        let exact = String(repeating: "x", count: 1_000)
        #expect(appearance(#"{"aps":{"alert":"\#(exact)"}}"#, .apns).text == exact)
    }

    @Test(
        "Only strings of a plausible length are treated as IDs",
        arguments: [
            "1", #""""#, "null", #"["a"]"#, #""\#(String(repeating: "x", count: 129))""#,
            #""a\nb""#,
        ])
    func onlyStringsOfAPlausibleLengthAreTreatedAsIDs(value: String) {
        let found = appearance(
            #"{"aps":{"content-available":1},"secureId":\#(value)}"#, .apns)
        #expect(found.kind == .silent)
        #expect(found.ids.isEmpty)
    }

    @Test("An APNs push shows its subtitle, badge and sound")
    func aPNsPushShowsItsSubtitleBadgeAndSound() {
        let found = appearance(
            #"{"aps":{"alert":{"title":"T","subtitle":"S","body":"B"},"badge":3,"sound":{"name":"a.caf","critical":1}}}"#,
            .apns)
        #expect([found.title, found.subtitle, found.text] == ["T", "S", "B"])
        #expect([found.badge, found.sound, found.image] == ["3", "a.caf", nil])
        let alone = appearance(#"{"aps":{"badge":0,"sound":"default"}}"#, .apns)
        #expect(alone.kind == .data)
        #expect([alone.badge, alone.sound] == ["0", "default"])
        #expect(appearance(#"{"aps":{"alert":{"subtitle":"S"}}}"#, .apns).kind == .alert)
    }

    @Test(
        "An FCM push shows its picture",
        arguments: [
            (.fcm, #"{"message":{"notification":{"title":"T","image":"https://a.example/1"}}}"#),
            (
                .fcm,
                #"{"message":{"notification":{"title":"T","image":"x"},"android":{"notification":{"image":"https://a.example/1"}}}}"#
            ),
            (.gcm, #"{"notification":{"title":"T","image":"https://a.example/1"}}"#),
        ] as [(LocalHubPlatform, String)])
    func fcmPushShowsItsPicture(platform: LocalHubPlatform, body: String) {
        let found = appearance(body, platform)
        #expect(found.title == "T")
        #expect(found.image == "https://a.example/1")
    }

    @Test("A toast shows all of its lines") func toastShowsAllOfItsLines() {
        let toast =
            "<toast><visual><binding><text>T</text><text> </text><group><subgroup><text>B</text>"
            + "<text>C</text></subgroup></group></binding></visual></toast>"
        #expect(appearance(toast, .wns).lines == ["T", "B", "C"])
        let many = String(repeating: "<text>x</text>", count: 100)
        let long = "<toast><visual><binding>\(many)</binding></visual></toast>"
        #expect(appearance(long, .wns).lines?.count == 32)
        #expect(appearance(#"{"aps":{"alert":"Hi"}}"#, .apns).lines == nil)
    }

    @Test(
        "The placeholder is shown until the app has fetched the content",
        arguments: [
            (
                .apns,
                #"{"aps":{"alert":{"body":"News"},"mutable-content":1},"secureId":"a"}"#, [:],
                .alert
            ),
            (
                .wns,
                #"<toast launch="secureId=a"><visual><binding template="ToastText01"><text id="1">News</text></binding></visual></toast>"#,
                ["x-wns-type": "wns/toast"], .alert
            ),
            (
                .fcm, #"{"message":{"data":{"secureId":"a","placeholder":"News"}}}"#, [:],
                .silent
            ),
            (
                .adm, #"{"data":{"secureId":"a","placeholder":"News"},"expiresAfter":60}"#, [:],
                .silent
            ),
            (.browser, #"{"secureId":"a","placeholder":"News"}"#, [:], .silent),
        ] as [(LocalHubPlatform, String, [String: String], MessageAppearance.Kind)])
    func placeholderIsShownUntilTheAppHasFetchedTheContent(
        platform: LocalHubPlatform, body: String, headers: [String: String],
        kind: MessageAppearance.Kind
    ) {
        let found = appearance(body, platform, headers)
        #expect(found.kind == kind)
        #expect(found.placeholder == "News")
        #expect(found.text == (kind == .alert ? "News" : nil))
        #expect(ids(found) == ["secureId=a"])
        #expect(found.data == nil)
    }

    @Test(
        "An alert without an ID or mutable-content does not count as a placeholder",
        arguments: [
            #"{"aps":{"alert":{"body":"News"}},"secureId":"a"}"#,
            #"{"aps":{"alert":{"body":"News"},"mutable-content":0},"secureId":"a"}"#,
            #"{"aps":{"alert":{"body":"News"},"mutable-content":1}}"#,
        ])
    func alertWithoutAnIDOrMutableContentDoesNotCountAsAPlaceholder(body: String) {
        let found = appearance(body, .apns)
        #expect(found.kind == .alert)
        #expect(found.placeholder == nil)
    }

    @Test(
        "A silent push shows what the app shows after fetching",
        arguments: [
            (
                .apns,
                #"{"aps":{"content-available":1},"richId":"a","richType":"img","richMessage":"M","title":"T","link":"L","own":"x","n":1}"#,
                [:]
            ),
            (
                .fcm,
                #"{"message":{"data":{"richId":"a","richMessage":"M","title":"T","link":"L","own":"x"},"android":{"ttl":"1s"}}}"#,
                [:]
            ),
            (
                .wns, #"{"richId":"a","richMessage":"M","title":"T","link":"L","own":"x"}"#,
                ["x-wns-type": "wns/raw"]
            ),
            (
                .adm,
                #"{"data":{"richId":"a","richMessage":"M","title":"T","link":"L","own":"x"},"expiresAfter":9}"#,
                [:]
            ),
            (
                .browser, #"{"richId":"a","richMessage":"M","title":"T","link":"L","own":"x"}"#,
                [:]
            ),
        ] as [(LocalHubPlatform, String, [String: String])])
    func silentPushShowsWhatTheAppShowsAfterFetching(
        platform: LocalHubPlatform, body: String, headers: [String: String]
    ) {
        let found = appearance(body, platform, headers)
        #expect(found.kind == .silent)
        #expect([found.title, found.text, found.link] == ["T", "M", "L"])
        #expect(found.placeholder == nil)
        #expect(found.data == ["own": "x"])
        #expect(ids(found) == ["richId=a"])
    }

    @Test(
        "An alert shows its link and the app's data",
        arguments: [
            (
                .apns,
                #"{"aps":{"alert":{"title":"T","body":"M"},"thread-id":"t"},"link":"L","own":"x"}"#
            ),
            (
                .fcm,
                #"{"message":{"notification":{"title":"T","body":"M"},"data":{"link":"L","own":"x"}}}"#
            ),
            (
                .wns,
                #"<toast launch="link=L&amp;own=%78"><visual><binding template="ToastText02"><text id="1">T</text><text id="2">M</text></binding></visual></toast>"#
            ),
            (.adm, #"{"data":{"message":"M","title":"T","link":"L","own":"x"},"expiresAfter":9}"#),
            (.browser, #"{"message":"M","title":"T","link":"L","own":"x"}"#),
        ] as [(LocalHubPlatform, String)])
    func alertShowsItsLinkAndTheAppsData(platform: LocalHubPlatform, body: String) {
        let found = appearance(body, platform)
        #expect(found.kind == .alert)
        #expect([found.title, found.text, found.link] == ["T", "M", "L"])
        #expect(found.data == ["own": "x"])
        #expect(found.thread == (platform == .apns ? "t" : nil))
        #expect(found.placeholder == nil)
    }

    @Test("The number of the app's keys that are shown is limited")
    func numberOfTheAppsKeysThatAreShownIsLimited() {
        let many = (0..<100).map { #""k\#($0)":"v""# }.joined(separator: ",")
        #expect(appearance("{\(many)}", .browser).data?.count == 32)
    }

    @Test("An alert can contain the ID of a payload") func alertCanContainTheIDOfAPayload() {
        let found = appearance(
            #"{"aps":{"alert":"Hi","content-available":1},"richId":"a"}"#, .apns)
        #expect(found.kind == .alert)
        #expect(ids(found) == ["richId=a"])
    }
}
