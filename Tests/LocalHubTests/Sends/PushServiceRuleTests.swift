import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PushServiceRuleTests {
    private func reason(
        _ platform: LocalHubPlatform, _ payload: String, _ headers: [String: String] = [:]
    ) throws -> String? {
        let refusal = try PushServiceRules.refusal(
            of: Array(payload.utf8), headers: headers, on: platform)
        #expect(refusal == nil || refusal?.outcome == .dropped)
        return refusal?.reason
    }

    @Test(
        "APNs accepts valid pushes",
        arguments: [
            (
                #"{"aps":{"content-available":1}}"#,
                ["apns-push-type": "background", "apns-priority": "5"]
            ),
            (
                #"{"aps":{"content-available":1}}"#,
                ["apns-push-type": "Background", "apns-priority": "1"]
            ),
            (#"{"aps":{"content-available":1}}"#, [:]), (#"{"id":"42"}"#, [:]),
            (#"{"aps":{"content-available":1,"alert":"a"}}"#, ["apns-priority": "10"]),
            (
                #"{"aps":{"alert":{"title":"a"}}}"#,
                ["apns-push-type": "alert", "apns-priority": "10"]
            ),
            (#"{"aps":{"badge":0}}"#, ["apns-push-type": "alert"]),
            (#"{"aps":{"alert":"a"}}"#, ["apns-priority": "soon"]),
            (
                #"{"aps":{"alert":{"body":"News"},"mutable-content":1},"secureId":"a"}"#,
                ["apns-push-type": "alert", "apns-priority": "10"]
            ),
            (
                #"{"aps":{"badge":1,"mutable-content":0}}"#,
                ["apns-push-type": "alert", "apns-priority": "10"]
            ),
            (#"{"aps":{}}"#, ["apns-push-type": "voip"]),
        ] as [(String, [String: String])])
    func aPNsAcceptsValidPushes(payload: String, headers: [String: String]) throws {
        #expect(try reason(.apns, payload, headers) == nil)
    }

    @Test(
        "APNs refuses invalid pushes",
        arguments: [
            (
                #"{"aps":{"content-available":1}}"#, "background", "10",
                "must not have apns-priority 10"
            ),
            (#"{"aps":{"content-available":1}}"#, "background", nil, "requires apns-priority 5"),
            (#"{"aps":{"content-available":1}}"#, "background", "x", "requires apns-priority 5"),
            (#"{"aps":{"content-available":1,"alert":"a"}}"#, "background", "5", "not have alert"),
            (#"{"aps":{"content-available":1,"sound":"a"}}"#, "background", "5", "not have sound"),
            (#"{"aps":{"content-available":1,"badge":1}}"#, "background", "5", "not have badge"),
            (#"{"aps":{"content-available":0}}"#, "background", "5", "content-available 1"),
            (#"{"id":"42"}"#, "background", "5", "content-available 1"),
            (
                #"{"aps":{"content-available":1,"mutable-content":1}}"#, "background", "5",
                "must not have mutable-content"
            ),
            (
                #"{"aps":{"badge":1,"mutable-content":1}}"#, "alert", "10",
                "requires an alert in aps"
            ),
            (#"{"aps":{"content-available":1}}"#, "alert", "10", "requires alert, sound or badge"),
            (#"{"aps":{"alert":"a"}}"#, "silent", nil, "\"silent\" is unknown"),
            (#"{"aps":{"alert":"a"}}"#, nil, "7", "apns-priority is 7"),
            (#"{"aps":"alert"}"#, nil, nil, "aps in the payload is not a JSON object"),
        ] as [(String, String?, String?, String)])
    func aPNsRefusesInvalidPushes(
        payload: String, type: String?, priority: String?, text: String
    ) throws {
        var headers: [String: String] = [:]
        headers["apns-push-type"] = type
        headers["apns-priority"] = priority
        #expect(try reason(.apns, payload, headers)?.contains(text) == true)
    }

    @Test(
        "FCM accepts valid pushes",
        arguments: [
            #"{"message":{"data":{"id":"42"}}}"#, #"{"message":{}}"#,
            #"{"message":{"android":{"priority":"HIGH","ttl":"3.5s","data":{"id":"42"}}}}"#,
            #"{"message":{"notification":{"title":"a"},"data":{"fromage":"x","google":"y"}}}"#,
        ])
    func fcmAcceptsValidPushes(payload: String) throws {
        #expect(try reason(.fcm, payload) == nil)
    }

    @Test(
        "FCM refuses invalid pushes",
        arguments: [
            (#"{"data":{"id":"42"}}"#, "not in a message object"),
            (#"{"message":"a"}"#, "not in a message object"),
            (#"{"message":{"data":{"id":42}}}"#, "message.data has a value that is not a string"),
            (#"{"message":{"data":{"id":null}}}"#, "message.data has a value that is not a string"),
            (#"{"message":{"data":{"id":{}}}}"#, "message.data has a value that is not a string"),
            (#"{"message":{"data":[]}}"#, "message.data is not a JSON object"),
            (#"{"message":{"android":{"data":{"a":true}}}}"#, "message.android.data has a value"),
            (#"{"message":{"android":1}}"#, "message.android is not"),
            (#"{"message":{"data":{"from":"a"}}}"#, "reserved key"),
            (#"{"message":{"android":{"data":{"google.x":"a"}}}}"#, "reserved key"),
            (#"{"message":{},"data":{}}"#, "a member other than message"),
            (#"{"message":{"token":"t","data":{}}}"#, "message contains token"),
            (#"{"message":{"topic":"t"}}"#, "message contains topic"),
            (#"{"message":{"android":{"priority":"5"}}}"#, "neither normal nor high"),
            (#"{"message":{"android":{"priority":5}}}"#, "neither normal nor high"),
            (#"{"message":{"android":{"ttl":3600}}}"#, "ttl is not a duration"),
            (#"{"message":{"android":{"ttl":"-1s"}}}"#, "ttl is not a duration"),
            (#"{"message":{"android":{"ttl":"infs"}}}"#, "ttl is not a duration"),
        ])
    func fcmRefusesInvalidPushes(payload: String, text: String) throws {
        #expect(try reason(.fcm, payload)?.contains(text) == true)
    }

    @Test(
        "Pushes in the GCM format have their own rules",
        arguments: [
            (#"{"data":{"id":42}}"#, nil), (#"{"notification":{"title":"a"}}"#, nil),
            (#"{"message":{"data":{}}}"#, "in the FCM v1 format"),
            (#"{"to":"x","data":{}}"#, "contains to"),
            (#"{"registration_ids":[],"data":{}}"#, "contains registration_ids"),
            (#"{"id":"1"}"#, "neither data nor notification"), (#"{"data":"a"}"#, "data is not"),
        ] as [(String, String?)])
    func pushesInTheGCMFormatHaveTheirOwnRules(payload: String, text: String?) throws {
        let reason = try reason(.gcm, payload)
        #expect(text.map { reason?.contains($0) == true } ?? (reason == nil))
    }

    @Test(
        "ADM accepts only strings and its own options",
        arguments: [
            (#"{"data":{"id":"42"}}"#, nil), (#"{"data":{"id":42}}"#, "not a string"),
            (#"{"id":"42"}"#, "no data object"),
            (#"{"data":{},"expiresAfter":2678400,"consolidationKey":"k","md5":"x"}"#, nil),
            (#"{"data":{},"expiresAfter":0}"#, "whole number of seconds from 1 to 2678400"),
            (#"{"data":{},"expiresAfter":2678401}"#, "whole number of seconds from 1 to 2678400"),
            (#"{"data":{},"expiresAfter":"60"}"#, "whole number of seconds"),
            (#"{"data":{},"expiresAfter":1.5}"#, "whole number of seconds"),
            (
                #"{"data":{},"consolidationKey":"\#(String(repeating: "k", count: 65))"}"#,
                "at most 64 characters"
            ),
            (#"{"data":{},"consolidationKey":1}"#, "at most 64 characters"),
            (#"{"data":{},"md5":1}"#, "md5 is not a string"),
        ] as [(String, String?)])
    func admAcceptsOnlyStringsAndItsOwnOptions(payload: String, text: String?) throws {
        let reason = try reason(.adm, payload)
        #expect(text.map { reason?.contains($0) == true } ?? (reason == nil))
    }

    @Test(
        "WNS checks the type and the root element",
        arguments: [
            ("wns/raw", "any", [:], nil),
            ("wns/raw", "", [:], "empty"),
            ("wns/toast", "<toast/>", ["content-type": "application/xml"], nil),
            ("wns/toast", "<?xml version='1.0' encoding='utf-16'?><toast/>", [:], nil),
            ("wns/toast", "<tile/>", [:], "root element"),
            ("wns/badge", "text", [:], "root element"),
            ("wns/toast", "<toast/>", ["x-wns-tag": "1234567890123456"], nil),
            ("wns/toast", "<toast/>", ["x-wns-tag": "12345678901234567"], "X-WNS-Tag has 17"),
            (nil, "<toast/>", [:], "missing"), ("wns/other", "<toast/>", [:], "unknown"),
        ] as [(String?, String, [String: String], String?)])
    func wnsChecksTheTypeAndTheRootElement(
        type: String?, payload: String, headers: [String: String], text: String?
    ) throws {
        var headers = headers
        headers["x-wns-type"] = type
        let reason = try reason(.wns, payload, headers)
        #expect(text.map { reason?.contains($0) == true } ?? (reason == nil))
    }

    @Test(
        "A payload that is not a JSON object is malformed",
        arguments: [LocalHubPlatform.apns, .fcm, .gcm, .adm], ["", "[]", "{", "1", "{}{}"])
    func payloadThatIsNotAJSONObjectIsMalformed(platform: LocalHubPlatform, payload: String) {
        #expect(throws: PushServiceRules.MalformedPayload.self) {
            try reason(platform, payload)
        }
    }

    @Test("The reason for a refusal never repeats the payload")
    func reasonForARefusalNeverRepeatsThePayload() throws {
        let secret = "SECRETVALUE"
        let payloads: [(LocalHubPlatform, String)] = [
            (.apns, #"{"aps":"SECRETVALUE"}"#), (.fcm, #"{"message":{"token":"SECRETVALUE"}}"#),
            (.fcm, #"{"message":{"android":{"ttl":"SECRETVALUE"}}}"#),
            (.wns, "<SECRETVALUE/>"), (.adm, #"{"data":["SECRETVALUE"]}"#),
        ]
        for (platform, payload) in payloads {
            let reason = try #require(try reason(platform, payload, ["x-wns-type": "wns/toast"]))
            #expect(!reason.contains(secret))
        }
    }
}
