import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PushHeadersTests {
    @Test(
        "The unprefixed header name takes precedence, and unreadable values are dropped",
        arguments: [
            (["apns-priority": "5", "x-apns-priority": "10"], "apns-priority", "5"),
            (["x-apns-priority": "10"], "apns-priority", "10"),
            (["x-apns-push-type": "background"], "apns-push-type", "background"),
            (["apns-push-type": "alert", "x-apns-push-type": "x"], "apns-push-type", "alert"),
            (["apns-expiration": "5", "x-apns-expiration": "7"], "apns-expiration", "5"),
            (["x-apns-expiration": "7"], "apns-expiration", "7"),
            (
                ["servicebusnotification-apns-expiry": "2026-01-01T00:00:00Z"], "apns-expiration",
                "1767225600"
            ),
            (
                ["servicebusnotification-apns-expiry": "01/01/2026 00:00:00"], "apns-expiration",
                "1767225600"
            ),
            (
                [
                    "x-apns-expiration": "\u{FFFD}",
                    "servicebusnotification-apns-expiry": "2026-01-01T00:00:00Z",
                ], "apns-expiration", "1767225600"
            ),
            (["servicebusnotification-apns-expiry": "soon"], "apns-expiration", nil),
            (["x-unrelated": "a"], "x-unrelated", nil),
            (["authorization": "a"], "authorization", nil),
        ] as [([String: String], String, String?)])
    func unprefixedHeaderNameTakesPrecedenceAndUnreadableValuesAre(
        fields: [String: String], name: String, value: String?
    ) {
        #expect(PushHeaders.relevant(of: fields, for: .apns)[name] == value)
        #expect(PushHeaders.relevant(of: fields, for: nil)[name] == value)
    }

    @Test("An MPNS push keeps all headers except those of the service")
    func mpnsPushKeepsAllHeadersExceptThoseOfTheService() {
        let fields = ["x-messageid": "1", "x-ms-version": "2", "x-notificationclass": "3"]
        #expect(
            PushHeaders.relevant(of: fields, for: .mpns)
                == ["x-messageid": "1", "x-notificationclass": "3"])
    }
}
