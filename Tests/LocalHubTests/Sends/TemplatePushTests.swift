import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TemplatePushTests {
    private func push(
        _ template: RegistrationTemplate, _ platform: LocalHubPlatform,
        headers: [String: String] = [:]
    ) -> TemplatePush {
        TemplatePush(template, on: platform, headers: headers) {
            $0.replacing("$(name)", with: "Ann")
        }
    }

    @Test("A template determines the body and the headers")
    func templateDeterminesTheBodyAndTheHeaders() {
        let template = RegistrationTemplate(
            body: #"{"aps":{"alert":"$(name)"}}"#,
            headers: [
                .init(name: "apns-collapse-id", value: "$(name)"),
                .init(name: "Apns-Push-Type", value: "alert"),
            ], expiry: "2026-01-01T00:00:00Z", priority: "10")
        let push = push(
            template, .apns,
            headers: [
                "apns-push-type": "background", "apns-priority": "5", "x-wns-type": "wns/raw",
                "servicebusnotification-format": "template",
            ])
        #expect(String(decoding: push.body, as: UTF8.self) == #"{"aps":{"alert":"Ann"}}"#)
        #expect(
            push.headers == [
                "apns-push-type": "alert", "apns-priority": "10", "apns-collapse-id": "Ann",
                "apns-expiration": "1767225600", "content-type": "application/json",
                "servicebusnotification-format": "template",
            ])
        #expect(push.refusal == nil)
    }

    @Test("Headers of the send apply if the template has none")
    func headersOfTheSendApplyIfTheTemplateHasNone() {
        let template = RegistrationTemplate(body: #"{"aps":{"content-available":1}}"#, expiry: "")
        let push = push(
            template, .apns,
            headers: [
                "apns-push-type": "background", "apns-priority": "10", "apns-expiration": "7",
            ])
        #expect(push.headers["apns-expiration"] == "7")
        #expect(push.refusal?.reason.contains("must not have apns-priority 10") == true)
    }

    @Test(
        "A WNS template gets a matching type and media type",
        arguments: [
            ("WNS/Raw", "$(name)", "application/octet-stream", true),
            ("wns/toast", "<toast>$(name)</toast>", "application/xml", true),
            (nil, "<badge value=\"$(name)\"/>", "application/xml", true),
            ("wns/tile", "<toast/>", "application/xml", false),
            (nil, "$(name)", "application/xml", false),
        ] as [(String?, String, String, Bool)])
    func wnsTemplateGetsAMatchingTypeAndMediaType(
        type: String?, body: String, mediaType: String, arrives: Bool
    ) {
        let headers = type.map { [RegistrationTemplate.Header(name: "X-WNS-Type", value: $0)] }
        let push = push(RegistrationTemplate(body: body, headers: headers ?? []), .wns)
        #expect(push.headers["content-type"] == mediaType)
        #expect((push.refusal == nil) == arrives)
    }

    @Test("A rendered template is checked like any other push")
    func renderedTemplateIsCheckedLikeAnyOtherPush() {
        let noJSON = push(RegistrationTemplate(body: "$(name)"), .fcm)
        #expect(noJSON.refusal?.outcome == .dropped)
        let tooLarge = push(
            RegistrationTemplate(
                body: #"{"aps":{},"a":"\#(String(repeating: "x", count: 4_096))"}"#), .apns)
        #expect(tooLarge.refusal?.outcome == .invalidNotificationSize)
    }

    @Test("A Baidu push gets the message type of its template")
    func baiduPushGetsTheMessageTypeOfItsTemplate() {
        let push = push(RegistrationTemplate(body: "{}", messageType: "1"), .baidu)
        #expect(push.headers["x-baidu-message-type"] == "1")
    }
}
