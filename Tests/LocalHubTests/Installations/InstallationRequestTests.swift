import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct InstallationRequestTests {
    private static let uri = "/hubsend/installations/i1?api-version=2020-06"
    private static let plain = #"{"installationId":"i1","platform":"apns","pushChannel":"AB12"}"#

    private static let full = #"""
        {"installationId":"i1","userId":"u1","platform":"APNS","pushChannel":"ab12",
         "expirationTime":"2026-06-01T12:00Z","tags":["b","a","b"],"pushVariables":{"v":"1"},
         "templates":{"news":{"body":"{\"aps\":{\"alert\":\"$(m)\"}}","headers":{"apns-priority":"10"},
         "expiry":"2026-05-01T00:00:00Z","tags":["t"]}},"lastUpdate":"x","unknown":{"a":[1]}}
        """#

    private func installation(
        _ members: String, expiration: String = "9999-12-31T23:59:59.9999999Z",
        channel: String = "AB12"
    ) -> String {
        #"{"installationId":"i1","pushChannel":"\#(channel)","pushChannelExpired":false,"#
            + #""platform":"apns","expirationTime":"\#(expiration)"\#(members)}"#
    }

    @Test(
        "An expiration time keeps its seven fractional digits",
        arguments: [
            ("2026-06-01T12:00:00.1234567Z", "2026-06-01T12:00:00.1234567Z"),
            ("2026-06-01T12:00:59.9999999Z", "2026-06-01T12:00:59.9999999Z"),
            ("2026-06-01T14:00:00.0000001+02:00", "2026-06-01T12:00:00.0000001Z"),
            ("2026-06-01T12:00:00.12345", "2026-06-01T12:00:00.1234500Z"),
            ("2026-06-01T12:00:00.123456789Z", "2026-06-01T12:00:00.1234567Z"),
            ("2026-06-01T12:00:00.123Z", "2026-06-01T12:00:00.1230000Z"),
        ])
    func expirationTimeKeepsItsSevenFractionalDigits(sent: String, kept: String) async throws {
        let hub = try HubUnderTest()
        let body = Self.plain.replacing("}", with: #","expirationTime":"\#(sent)"}"#)
        #expect(try await hub.request(.put, Self.uri, body: body).status == .ok)
        #expect(try await hub.request(.get, Self.uri).text == installation("", expiration: kept))
        let tagged = #"[{"op":"add","path":"/tags","value":"t"}]"#
        _ = try await hub.request(.patch, Self.uri, body: tagged)
        #expect(
            try await hub.request(.get, Self.uri).text
                == installation(#","tags":["t"]"#, expiration: kept))
        let later = #"[{"op":"replace","path":"/expirationTime","value":"\#(sent)"}]"#
        _ = try await hub.request(.put, Self.uri, body: Self.plain)
        _ = try await hub.request(.patch, Self.uri, body: later)
        #expect(try await hub.request(.get, Self.uri).text == installation("", expiration: kept))
    }

    @Test("An installation has a registration for itself and each template")
    func installationHasARegistrationForItselfAndEachTemplate() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.request(.put, Self.uri, body: Self.full)
        let list = "/hubsend/registrations?api-version=2020-06"
        let before = try await hub.request(.get, list).text
        #expect(before.contains("<AppleRegistrationDescription "))
        #expect(before.contains("<Tags>$InstallationId:{i1},$UserId:{u1},b,a</Tags>"))
        #expect(before.contains("<Tags>$InstallationId:{i1},$UserId:{u1},b,a,t,news</Tags>"))
        #expect(before.contains("<TemplateName>news</TemplateName>"))
        let ids = { (text: String) in
            text.matches(of: /<RegistrationId>([^<]*)</).map { String($0.output.1) }
        }
        _ = try await hub.request(.put, Self.uri, body: Self.full)
        #expect(ids(try await hub.request(.get, list).text) == ids(before))
        _ = try await hub.request(.put, Self.uri, body: Self.plain)
        #expect(ids(try await hub.request(.get, list).text) == [ids(before)[0]])
    }

    @Test("An expired installation is neither targeted nor found")
    func expiredInstallationIsNeitherTargetedNorFound() async throws {
        let hub = try HubUnderTest()
        let body = Self.full.replacing("2026-06-01T12:00Z", with: "2025-01-01T00:00:00Z")
        #expect(try await hub.request(.put, Self.uri, body: body).status == .ok)
        #expect(try await hub.request(.get, Self.uri).status == .notFound)
        _ = try await hub.send(tags: "a")
        #expect(hub.server.counts.withoutTarget == 1)
        let list = try await hub.request(.get, "/hubsend/registrations")
        #expect(!list.text.contains("<entry"))
    }

    @Test(
        "A patch changes only the member it names",
        arguments: [
            (#"[{"op":"add","path":"/tags","value":"x"}]"#, #","tags":["a","b","x"]"#),
            (#"[{"op":"add","path":"/tags","value":["b","x"]}]"#, #","tags":["a","b","x"]"#),
            (#"[{"op":"add","path":"/tags","value":"[\"x\"]"}]"#, #","tags":["a","b","x"]"#),
            (#"[{"op":"add","path":"/tags/x","value":"x"}]"#, #","tags":["a","b","x"]"#),
            (#"[{"op":"replace","path":"/tags","value":"[\"x\"]"}]"#, #","tags":["x"]"#),
            (#"[{"op":"replace","path":"/Tags/a","value":"x"}]"#, #","tags":["b","x"]"#),
            (#"[{"op":"remove","path":"/tags/a"}]"#, #","tags":["b"]"#),
            (#"[{"op":"remove","path":"/tags/a"},{"op":"remove","path":"/tags/b"}]"#, ""),
            (#"[{"op":"remove","path":"/tags"}]"#, ""),
            (#"[{"op":"remove","path":"/tags/none"}]"#, #","tags":["a","b"]"#),
            (
                #"[{"op":"replace","path":"/user","value":"u2"}]"#,
                #","tags":["a","b"],"userId":"u2""#
            ),
            (
                #"[{"op":"add","path":"/templates/t","value":"{\"body\":\"{}\"}"}]"#,
                #","tags":["a","b"],"templates":{"t":{"body":"{}","tags":["t"]}}"#
            ),
            (
                #"[{"op":"add","path":"/templates/t","value":{"body":"{}"}},"#
                    + #"{"op":"replace","path":"/templates/t/body","value":"{\"a\":\"$(b)\"}"},"#
                    + #"{"op":"add","path":"/templates/t/tags","value":"x"},"#
                    + #"{"op":"add","path":"/templates/t/headers","value":"{\"h\":\"1\"}"}]"#,
                #","tags":["a","b"],"templates":{"t":{"body":"{\"a\":\"$(b)\"}","headers":{"h":"1"},"#
                    + #""tags":["x","t"]}}"#
            ),
            (
                #"[{"op":"add","path":"/pushVariables/v","value":"1"}]"#,
                #","tags":["a","b"],"pushVariables":{"v":"1"}"#
            ),
        ])
    func patchChangesOnlyTheMemberItNames(patch: String, members: String) async throws {
        let hub = try HubUnderTest()
        _ = try await hub.request(
            .put, Self.uri,
            body: #"{"installationId":"i1","platform":"apns","pushChannel":"AB12","#
                + #""tags":["a","b"],"userId":null}"#)
        let patched = try await hub.request(
            .patch, Self.uri, headers: ["Content-Type": "application/json-patch+json"],
            body: patch)
        #expect(patched.status == .ok)
        #expect(patched.text.isEmpty)
        #expect(try await hub.request(.get, Self.uri).text == installation(members))
    }

    @Test("The next push is sent to the new channel") func nextPushIsSentToTheNewChannel()
        async throws
    {
        let hub = try HubUnderTest()
        _ = try await hub.request(
            .put, Self.uri,
            body: Self.plain.replacing("}", with: #","tags":["username:alice"]}"#))
        let patch = #"[{"op":"replace","path":"/pushChannel","value":"CD34"}]"#
        #expect(try await hub.request(.patch, Self.uri, body: patch).status == .ok)
        _ = try await hub.send()
        let devices = try await hub.request(.get, "/.hubsend/devices/alice")
        #expect(devices.text.contains(#""handle" : "CD34""#))
        #expect(!devices.text.contains("AB12"))
    }

    @Test(
        "An invalid patch returns 400 and changes nothing",
        arguments: [
            "", "{}", "[]", "[1]", #"[{"op":"add"}]"#, #"[{"op":"add","path":"tags","value":"a"}]"#,
            #"[{"op":"move","path":"/tags","value":"a"}]"#, #"[{"op":"add","path":"/tags"}]"#,
            #"[{"op":"add","path":"/tags","value":7}]"#,
            #"[{"op":"add","path":"/tags","value":"a b"}]"#,
            #"[{"op":"replace","path":"/installationId","value":"x"}]"#,
            #"[{"op":"replace","path":"/platform","value":"fcm"}]"#,
            #"[{"op":"replace","path":"/","value":"x"}]"#,
            #"[{"op":"replace","path":"/pushChannel","value":""}]"#,
            #"[{"op":"remove","path":"/pushChannel"}]"#,
            #"[{"op":"add","path":"/templates/t","value":"no json"}]"#,
            #"[{"op":"add","path":"/templates/t","value":"{}"}]"#,
            #"[{"op":"add","path":"/templates/t/body","value":"$("}]"#,
            #"[{"op":"add","path":"/templates/t/x","value":"y"}]"#,
            #"[{"op":"add","path":"/secondaryTiles/t","value":{"pushChannel":"c"}}]"#,
            #"[{"op":"add","path":"/tags","value":"ok"},{"op":"add","path":"/tags","value":"not ok"}]"#,
            "[" + String(repeating: #"{"op":"remove","path":"/tags"},"#, count: 100)
                + #"{"op":"remove","path":"/tags"}]"#,
            String(repeating: "[", count: 60_000),
        ])
    func invalidPatchReturns400AndChangesNothing(patch: String) async throws {
        let hub = try HubUnderTest()
        _ = try await hub.request(.put, Self.uri, body: Self.plain)
        let response = try await hub.request(.patch, Self.uri, body: patch)
        #expect(response.status == .badRequest)
        #expect(try await hub.request(.get, Self.uri).text == installation(""))
    }

    @Test(
        "Every channel is returned as it was sent",
        arguments: [
            (
                #""platform":"browser","pushChannel":{"endpoint":"e","p256dh":"p","auth":"s","x":[[]]}"#,
                #""pushChannel":{"auth":"s","endpoint":"e","p256dh":"p"}"#
            ),
            (
                #""platform":"browser","pushChannel":"{\"endpoint\":\"e\",\"p256dh\":\"p\",\"auth\":\"s\"}""#,
                #""pushChannel":"{\"endpoint\":\"e\",\"p256dh\":\"p\",\"auth\":\"s\"}""#
            ),
            (#""platform":"FCMV1","pushChannel":"f""#, #""platform":"FCMV1""#),
            (#""platform":"baidu","pushChannel":"u-c""#, #""pushChannel":"u-c""#),
            (
                #""platform":"wns","pushChannel":"c","secondaryTiles":{"t":{"pushChannel":"d","#
                    + #""tags":["x"],"templates":{"n":{"body":"<a/>","headers":{"X-WNS-Type":"wns/tile"}}}}}"#,
                #""secondaryTiles":{"t":{"pushChannel":"d","pushChannelExpired":false,"tags":["x"],"#
                    + #""templates":{"n":{"body":"<a/>","headers":{"X-WNS-Type":"wns/tile"},"tags":["n"]}}}}"#
            ),
        ])
    func everyChannelIsReturnedAsItWasSent(members: String, expected: String) async throws {
        let hub = try HubUnderTest()
        let body = #"{"installationId":"i1",\#(members)}"#
        #expect(try await hub.request(.put, Self.uri, body: body).status == .ok)
        let read = try await hub.request(.get, Self.uri)
        #expect(read.text.contains(expected))
    }

    @Test(
        "An installation with an invalid member returns 400",
        arguments: [
            #""platform":"browser","pushChannel":"x""#, #""platform":"browser","pushChannel":{}"#,
            #""platform":"baidu","pushChannel":"x""#, #""platform":"nokiax","pushChannel":"x""#,
            #""platform":"apns","pushChannel":{"a":"b"}"#, #""platform":"apns","pushChannel":null"#,
            #""platform":"apns","pushChannel":"a","expirationTime":"soon""#,
            #""platform":"apns","pushChannel":"a","userId":"a b""#,
            #""platform":"apns","pushChannel":"a","userId":7"#,
            #""platform":"apns","pushChannel":"a","pushVariables":{"a":1}"#,
            #""platform":"apns","pushChannel":"a","templates":{"t":{"body":"$("}}"#,
            #""platform":"apns","pushChannel":"a","templates":{"t":{}}"#,
            #""platform":"wns","pushChannel":"a","templates":{"t":{"body":"b"}}"#,
            #""platform":"apns","pushChannel":"a","secondaryTiles":{"t":{"pushChannel":"c"}}"#,
        ])
    func installationWithAnInvalidMemberReturns400(members: String) async throws {
        let hub = try HubUnderTest()
        let body = #"{"installationId":"i1",\#(members)}"#
        let put = try await hub.request(.put, Self.uri, body: body)
        #expect(put.status == .badRequest)
        let read = try await hub.request(.get, Self.uri)
        #expect(read.status == .notFound)
    }

    @Test("A patch is applied or refused as a whole")
    func patchIsAppliedOrRefusedAsAWhole() throws {
        var random = SeededGenerator(seed: 11)
        let operations = ["add", "remove", "replace", "x"]
        let paths = [
            "tags", "templates", "t", "body", "headers", "", "~1", "pushVariables", "userId",
        ]
        let values: [JSONValue] = [
            .string("a"), .string("{}"), .string("{\"body\":\"b\"}"), .null, .number(1),
            .array([.string("b")]), .object(["body": .string("$(x)")]), .string("a b"),
        ]
        let document = try InstallationDocument(body: Array(Self.full.utf8))
        var applied = 0
        // Each operation is tried several times on every path of up to two segments.
        for _ in 0..<6_000 {
            let path = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                "/" + (paths.randomElement(using: &random) ?? "")
            }.joined()
            let operation = JSONText.object([
                ("op", JSONText.quoted(operations.randomElement(using: &random) ?? "")),
                ("path", JSONText.quoted(path)),
                ("value", (values.randomElement(using: &random) ?? .null).json),
            ])
            do {
                let patch = try InstallationPatch(body: Array("[\(operation)]".utf8))
                let installation = try patch.applied(to: document).installation(id: "i1")
                #expect(installation.id == "i1")
                applied += 1
            } catch {
                #expect(error.status == .badRequest)
            }
        }
        #expect(applied > 150)
    }

    /// The service responds first and applies the change later.
    @Test("If a delay is configured, an installation takes effect later")
    func ifADelayIsConfiguredAnInstallationTakesEffectLater() async throws {
        let clock = TestClock()
        let hub = try HubUnderTest {
            $0.now = { clock.now }
            $0.sleep = { try await clock.sleep($0) }
            $0.installationDelay = .seconds(5)
        }
        let uri = "/hubsend/installations/i"
        let put = try await hub.install("i", tags: ["username:alice"])
        #expect(put.status == .ok)
        let patch = try await hub.request(
            .patch, uri, body: #"[{"op":"add","path":"/tags","value":"late"}]"#)
        #expect(patch.status == .ok)
        let early = try await hub.request(.get, uri)
        #expect(early.status == .notFound)
        _ = try await hub.send()
        #expect(hub.server.counts.withoutTarget == 1)
        #expect(hub.server.saved.hubs.first?.installations["i"]?.tags.contains("late") == true)
        clock.advance(by: 5)
        let read = try await hub.request(.get, uri)
        #expect(read.text.contains("late"))
        _ = try await hub.send()
        #expect(await hub.server.received(by: "alice").count == 1)
        let delete = try await hub.request(.delete, uri)
        #expect(delete.status == .noContent)
        #expect(try await hub.request(.get, uri).status == .ok)
        clock.advance(by: 5)
        #expect(try await hub.request(.get, uri).status == .notFound)
    }

    @Test("An installation beyond the limit is refused without delay")
    func installationBeyondTheLimitIsRefusedWithoutDelay() async throws {
        let hub = try HubUnderTest {
            $0.installationDelay = .seconds(5)
            $0.limits.devices = 2
        }
        for id in ["a", "b"] {
            let put = try await hub.install(id)
            #expect(put.status == .ok)
        }
        let third = try await hub.install("c")
        #expect(third.status == .forbidden)
    }
}
