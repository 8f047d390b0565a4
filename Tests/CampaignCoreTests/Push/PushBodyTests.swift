import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct PushBodyTests {
    private static let id = NotificationID(checked: "abcdefghijklmnopqrstuvwxyz")
    private static let now = Date(timeIntervalSince1970: 1_796_115_600)
    private static let expires = now.addingTimeInterval(604_800)

    private func body(
        _ kind: CampaignKind, _ platform: Platform, type: String? = "img", message: String? = "Hi",
        expires: Date = expires
    ) -> String {
        let content = PushContent(notification: Self.id, type: type, texts: Texts(message: message))
        let bytes = PushBody(kind: kind, platform: platform)
            .bytes(content, expires: expires, now: Self.now)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func headers(
        _ kind: CampaignKind, _ platform: Platform, expires: Date = expires
    ) -> [String] {
        PushBody(kind: kind, platform: platform).headers(expires: expires, now: Self.now)
            .map { "\($0.name): \($0.value)" }
    }

    @Test(
        "Each kind of push has a fixed body on each platform",
        arguments: [
            (
                .secure, .apns,
                #"{"aps":{"content-available":1},"secureId":"abcdefghijklmnopqrstuvwxyz"}"#
            ),
            (
                .secure, .fcm,
                #"{"message":{"data":{"secureId":"abcdefghijklmnopqrstuvwxyz"},"#
                    + #""android":{"priority":"high","ttl":"604800s"}}}"#
            ),
            (.secure, .wns, "abcdefghijklmnopqrstuvwxyz"),
            (
                .rich, .apns,
                #"{"aps":{"content-available":1},"richId":"abcdefghijklmnopqrstuvwxyz","#
                    + #""richType":"img","richMessage":"Hi"}"#
            ),
            (
                .rich, .fcm,
                #"{"message":{"data":{"richId":"abcdefghijklmnopqrstuvwxyz","richType":"img","#
                    + #""richMessage":"Hi"},"android":{"priority":"high","ttl":"604800s"}}}"#
            ),
            (
                .rich, .wns,
                #"{"richId":"abcdefghijklmnopqrstuvwxyz","richType":"img","richMessage":"Hi"}"#
            ),
            (.alert, .apns, #"{"aps":{"alert":"Hi"}}"#),
            (
                .alert, .fcm,
                #"{"message":{"notification":{"body":"Hi"},"#
                    + #""android":{"priority":"high","ttl":"604800s"}}}"#
            ),
            (
                .alert, .wns,
                #"<toast><visual><binding template="ToastText01"><text id="1">Hi</text>"#
                    + "</binding></visual></toast>"
            ),
        ] as [(CampaignKind, Platform, String)])
    func eachKindOfPushHasAFixedBodyOnEachPlatform(
        kind: CampaignKind, platform: Platform, text: String
    ) {
        #expect(body(kind, platform) == text)
    }

    @Test("A secure push contains only the notification ID", arguments: Platform.allCases)
    func securePushContainsOnlyTheNotificationID(platform: Platform) {
        let text = body(.secure, platform, type: "SECRETTYPE", message: "SECRETMESSAGE")
        #expect(text.contains(Self.id.text))
        #expect(!text.contains("SECRET"))
    }

    @Test("A private message leaves no trace in the push", arguments: Platform.allCases)
    func privateMessageLeavesNoTraceInThePush(platform: Platform) {
        let text = body(.rich, platform, message: nil)
        #expect(text.contains(#""richType":"img""#))
        #expect(!text.contains("richMessage"))
    }

    @Test(
        "A silent push shows and plays nothing", arguments: [CampaignKind.secure, .rich],
        Platform.allCases)
    func silentPushShowsAndPlaysNothing(kind: CampaignKind, platform: Platform) {
        let text = body(kind, platform)
        for word in ["alert", "sound", "badge", "notification"] {
            #expect(!text.contains("\"\(word)\""))
        }
        #expect(kind.isSilent)
    }

    @Test(
        "Each kind of push has fixed headers on each platform",
        arguments: [
            (
                .secure, .apns,
                ["apns-push-type: background", "apns-priority: 5", "apns-expiration: 1796720400"]
            ),
            (
                .rich, .apns,
                ["apns-push-type: background", "apns-priority: 5", "apns-expiration: 1796720400"]
            ),
            (
                .alert, .apns,
                ["apns-push-type: alert", "apns-priority: 10", "apns-expiration: 1796720400"]
            ),
            (.secure, .fcm, []), (.rich, .fcm, []), (.alert, .fcm, []),
            (
                .secure, .wns,
                ["X-WNS-Type: wns/raw", "X-WNS-Cache-Policy: cache", "X-WNS-TTL: 604800"]
            ),
            (
                .rich, .wns,
                ["X-WNS-Type: wns/raw", "X-WNS-Cache-Policy: cache", "X-WNS-TTL: 604800"]
            ),
            (.alert, .wns, ["X-WNS-Type: wns/toast"]),
        ] as [(CampaignKind, Platform, [String])])
    func eachKindOfPushHasFixedHeadersOnEachPlatform(
        kind: CampaignKind, platform: Platform, lines: [String]
    ) {
        #expect(headers(kind, platform) == lines)
    }

    @Test("A payload that is about to expire still gets a lifetime of one second")
    func payloadThatIsAboutToExpireStillGetsALifetimeOfOneSecond() {
        let soon = Self.now.addingTimeInterval(0.2)
        #expect(body(.secure, .fcm, expires: soon).contains(#""ttl":"1s""#))
        #expect(headers(.secure, .wns, expires: soon).contains("X-WNS-TTL: 1"))
    }

    @Test("An expired payload gets a lifetime of zero") func expiredPayloadGetsALifetimeOfZero() {
        let past = Self.now.addingTimeInterval(-10)
        #expect(body(.secure, .fcm, expires: past).contains(#""ttl":"0s""#))
        #expect(headers(.secure, .wns, expires: past).contains("X-WNS-TTL: 0"))
    }

    @Test("FCM never gets a lifetime of more than four weeks")
    func fcmNeverGetsALifetimeOfMoreThanFourWeeks() {
        let far = Self.now.addingTimeInterval(90 * 86_400)
        #expect(body(.rich, .fcm, expires: far).contains(#""ttl":"2419200s""#))
    }

    @Test(
        "Each platform has its own media type and size limit",
        arguments: [
            (CampaignKind.secure, Platform.apns, "application/json;charset=utf-8", 4096),
            (.alert, .fcm, "application/json;charset=utf-8", 4096),
            (.rich, .wns, "application/octet-stream", 5000),
            (.alert, .wns, "application/xml", 5000),
            (.rich, .adm, "application/json;charset=utf-8", 6144),
            (.alert, .browser, "application/json;charset=utf-8", 3993),
        ])
    func eachPlatformHasItsOwnMediaTypeAndSizeLimit(
        kind: CampaignKind, platform: Platform, contentType: String, limit: Int
    ) {
        let body = PushBody(kind: kind, platform: platform)
        #expect(body.contentType == contentType)
        #expect(body.limit == limit)
    }

    @Test(
        "ADM gets a lifetime between one minute and 31 days",
        arguments: [
            (0.2, 60), (59, 60), (61, 61), (2_678_400, 2_678_400), (90 * 86_400, 2_678_400),
        ] as [(Double, Int)])
    func admGetsALifetimeBetweenOneMinuteAnd31Days(life: Double, seconds: Int) {
        let expires = Self.now.addingTimeInterval(life)
        #expect(
            body(.secure, .adm, expires: expires)
                == #"{"data":{"secureId":"abcdefghijklmnopqrstuvwxyz"},"expiresAfter":\#(seconds)}"#
        )
    }

    @Test(
        "Each platform has its own format name at the hub",
        arguments: [
            (Platform.apns, "apple"), (.fcm, "fcmv1"), (.wns, "windows"), (.adm, "adm"),
            (.browser, "browser"),
        ])
    func eachPlatformHasItsOwnFormatNameAtTheHub(platform: Platform, format: String) {
        #expect(platform.facts.hubFormat == format)
        #expect("\(platform)" == platform.rawValue)
    }
}
