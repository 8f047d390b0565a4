import CampaignCore
import Foundation
import TestSupport
import Testing

/// Tests every combination of platform, kind and option; each combination is a line of
/// `Fixtures/bodies.txt`.
@Suite(.bounded) struct PushFixtureTests {
    /// A line of the fixture, with the content of a push and its body.
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: CampaignKind
        let platform: Platform
        let option: String
        let body: String

        var testDescription: String { "\(kind) \(platform) \(option)" }

        init?(_ line: Substring) {
            guard let colon = line.firstRange(of: ": ") else { return nil }
            let words = line[..<colon.lowerBound].split(separator: " ").map(String.init)
            guard words.count == 3, let kind = CampaignKind(rawValue: words[0]),
                let platform = Platform(rawValue: words[1])
            else { return nil }
            self.kind = kind
            self.platform = platform
            option = words[2]
            body = String(line[colon.upperBound...])
        }

        func has(_ name: String) -> Bool { option == name || option == "all" }

        var form: PushBody {
            PushBody(kind: kind, platform: platform, hasPlaceholder: has("placeholder"))
        }

        var content: PushContent {
            PushContent(
                kind: kind, isMessagePrivate: false,
                options: has("apple")
                    ? PushOptions(badge: 3, sound: "default", thread: "sale") : PushOptions(),
                notification: PushFixtureTests.id, type: "img",
                texts: Texts(
                    title: has("title") ? #"Spring "sale""# : nil, message: "Hi & bye",
                    placeholder: has("placeholder") ? "A new <message>" : nil),
                link: has("link") ? "https://shop.example/sale?a=1&b=%C3%A9" : nil,
                data: has("data") ? ["voucher": "50% off", "campaign": "spring"] : [:])
        }
    }

    private static let id = NotificationID(checked: "abcdefghijklmnopqrstuvwxyz")
    private static let now = Date(timeIntervalSince1970: 1_796_115_600)
    private static let expires = now.addingTimeInterval(604_800)

    static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/bodies.txt")
        // Without the file there are no cases, which `fixtureContainsEveryCombinationOfKindPlatformAndOption` reports.
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap(Case.init)
    }()

    private func bytes(_ one: Case) -> [UInt8] {
        one.form.bytes(one.content, expires: Self.expires, now: Self.now)
    }

    @Test("The fixture contains every combination of kind, platform and option")
    func fixtureContainsEveryCombinationOfKindPlatformAndOption() {
        #expect(Self.cases.count == CampaignKind.allCases.count * Platform.allCases.count * 7)
    }

    @Test("Every push body equals its fixture", arguments: cases)
    func everyPushBodyEqualsItsFixture(one: Case) {
        #expect(String(decoding: bytes(one), as: UTF8.self) == one.body)
    }

    @Test(
        "A secure push contains only the ID and the placeholder",
        arguments: cases.filter { $0.kind == .secure })
    func securePushContainsOnlyTheIDAndThePlaceholder(one: Case) {
        let text = String(decoding: bytes(one), as: UTF8.self)
        #expect(text.contains(Self.id.text))
        for secret in ["Spring", "Hi", "img", "shop.example", "voucher", "spring"] {
            #expect(!text.contains(secret))
        }
    }

    @Test("Headers distinguish visible pushes from silent ones", arguments: cases)
    func headersDistinguishVisiblePushesFromSilentOnes(one: Case) {
        let isVisible = one.kind == .alert || one.has("placeholder")
        #expect(one.form.isVisible == isVisible)
        let headers = one.form.headers(expires: Self.expires, now: Self.now)
            .map { "\($0.name): \($0.value)" }
        let json = "application/json;charset=utf-8"
        switch one.platform {
        case .apns:
            #expect(
                headers == [
                    "apns-push-type: \(isVisible ? "alert" : "background")",
                    "apns-priority: \(isVisible ? 10 : 5)", "apns-expiration: 1796720400",
                ])
            #expect(one.form.contentType == json)
        case .wns where isVisible:
            #expect(headers == ["X-WNS-Type: wns/toast"])
            #expect(one.form.contentType == "application/xml")
        case .wns:
            #expect(headers.first == "X-WNS-Type: wns/raw")
            #expect(one.form.contentType == "application/octet-stream")
        case .fcm, .adm, .browser:
            #expect(headers.isEmpty)
            #expect(one.form.contentType == json)
        }
    }
}
