import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct AuthorizationAnswerTests {
    @Test func aWrongSignatureIsAnsweredWithTheRecordedText() async throws {
        try await HubUnderTest.run { hub in
            var rule = LocalHubRule.developmentFull
            rule.key += "x"
            let response = try await hub.send(
                headers: ["TrackingId": "11111111-2222-4333-8444-555555555555"],
                token: TestToken.make(rule))
            #expect(response.status == .unauthorized)
            #expect(response.header("Content-Type") == "application/xml; charset=utf-8")
            #expect(
                response.text == """
                    <Error><Code>401</Code><Detail>InvalidSignature: The token has an invalid \
                    signature..TrackingId:11111111-2222-4333-8444-555555555555_G0,\
                    TimeStamp:12/31/2025 11:00:00 PM</Detail></Error>
                    """)
        }
    }

    @Test(arguments: [
        (nil, "SubCode=40102. MissingToken"),
        ("SharedAccessSignature sr=a", "SubCode=40105. MalformedToken"),
        (TestToken.make(.developmentFull, expiry: 1_000_000_000), "SubCode=40106. ExpiredToken"),
        (
            TestToken.make(.developmentFull, audience: "http://localhost/other"),
            "SubCode=40104. InvalidAudience"
        ),
    ])
    func everyOtherFailureNamesItsSubCode(token: String?, detail: String) async throws {
        try await HubUnderTest.run { hub in
            let response = try await hub.send(token: token)
            #expect(response.status == .unauthorized)
            #expect(response.text.contains("<Code>401</Code><Detail>\(detail)"))
            #expect(hub.server.counts.sends == 0)
        }
    }

    @Test func aRuleWithoutTheClaimGets403WithAnEmptyBody() async throws {
        try await HubUnderTest.run { hub in
            let send = try await hub.send(token: TestToken.make(.developmentListen))
            #expect(send.status == .forbidden)
            #expect(send.text.isEmpty)
            #expect(send.header("TrackingId") != nil)
            #expect(send.header("x-ms-correlation-request-id") != nil)
            let install = try await hub.request(
                .put, "/hubsend/installations/1", token: TestToken.make(.developmentSend),
                body: "{}")
            #expect(install.status == .forbidden)
            #expect(install.text.isEmpty)
        }
    }

    @Test func aRuleWithTheClaimIsEnough() async throws {
        try await HubUnderTest.run { hub in
            #expect(
                try await hub.send(token: TestToken.make(.developmentSend)).status == .created)
            let install = try await hub.request(
                .put, "/hubsend/installations/1", token: TestToken.make(.developmentListen),
                body: #"{"installationId":"1","platform":"apns","pushChannel":"AB"}"#)
            #expect(install.status == .ok)
        }
    }

    @Test func manageGrantsEverything() {
        let rule = LocalHubRule(name: "manage", key: "key", claims: [.manage])
        #expect(LocalHubClaim.allCases.allSatisfy(rule.grants))
        #expect(!LocalHubRule.developmentListen.grants(.send))
    }
}
