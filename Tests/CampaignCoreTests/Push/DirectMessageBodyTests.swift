import Foundation
import TestSupport
import Testing

@testable import CampaignCore

@Suite(.bounded) struct DirectMessageBodyTests {
    private static let hostile = "From a: \"q\" \\ <b>&amp;</b> ]]> \u{7} \r\n \u{2028} 🎉"

    @Test("A device can read back the text that was sent")
    func deviceCanReadBackTheTextThatWasSent() throws {
        let apns = DirectMessageBody(platform: .apns).bytes(Self.hostile)
        let fcm = DirectMessageBody(platform: .fcm).bytes(Self.hostile)
        #expect(try Self.member(["aps", "alert"], of: apns) == Self.hostile)
        #expect(try Self.member(["message", "data", "message"], of: fcm) == Self.hostile)
        let adm = DirectMessageBody(platform: .adm).bytes(Self.hostile)
        let browser = DirectMessageBody(platform: .browser).bytes(Self.hostile)
        #expect(try Self.member(["data", "message"], of: adm) == Self.hostile)
        #expect(try Self.member(["message"], of: browser) == Self.hostile)
        let wns = DirectMessageBody(platform: .wns).bytes(Self.hostile)
        #expect(
            ToastReader.read(Data(wns))?.text == Self.hostile.replacing("\u{7}", with: "\u{FFFD}"))
    }

    @Test("A direct message is sent as a visible push") func directMessageIsSentAsAVisiblePush() {
        let now = Date(timeIntervalSince1970: 1_000)
        let headers = DirectMessageBody(platform: .apns)
            .headers(expires: now.addingTimeInterval(60), now: now)
        #expect(headers.contains(PushHeader("apns-push-type", "alert")))
        #expect(headers.contains(PushHeader("apns-expiration", "1060")))
        #expect(DirectMessageBody(platform: .fcm).contentType.hasPrefix("application/json"))
        #expect(DirectMessageBody(platform: .wns).contentType == "application/xml")
        #expect(
            DirectMessageBody(platform: .wns).headers(expires: now, now: now)
                == [PushHeader("X-WNS-Type", "wns/toast")])
    }

    private static func member(_ path: [String], of json: [UInt8]) throws -> String? {
        var value = try JSONSerialization.jsonObject(with: Data(json))
        for key in path { value = (value as? [String: Any])?[key] ?? "" }
        return value as? String
    }
}
