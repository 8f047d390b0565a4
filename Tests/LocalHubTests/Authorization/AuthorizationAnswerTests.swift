import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct AuthorizationAnswerTests {
    @Test(
        "An authorization error contains its subcode",
        arguments: [
            (nil, "SubCode=40102. MissingToken"),
            ("SharedAccessSignature sr=a", "SubCode=40105. MalformedToken"),
            (
                TestToken.make(.developmentFull, expiry: 1_000_000_000),
                "SubCode=40106. ExpiredToken"
            ),
            (
                TestToken.make(.developmentFull, audience: "http://localhost/other"),
                "SubCode=40104. InvalidAudience"
            ),
        ])
    func authorizationErrorContainsItsSubcode(token: String?, detail: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.send(token: token)
        #expect(response.status == .unauthorized)
        #expect(response.text.contains("<Code>401</Code><Detail>\(detail)"))
        #expect(hub.server.counts.sends == 0)
    }

    @Test("A rule with only the required right is accepted")
    func ruleWithOnlyTheRequiredRightIsAccepted() async throws {
        let hub = try HubUnderTest()
        #expect(try await hub.send(token: TestToken.make(.developmentSend)).status == .created)
        let install = try await hub.request(
            .put, "/hubsend/installations/1", token: TestToken.make(.developmentListen),
            body: #"{"installationId":"1","platform":"apns","pushChannel":"AB"}"#)
        #expect(install.status == .ok)
    }

    @Test("The Manage right includes all other rights") func manageRightIncludesAllOtherRights() {
        let rule = LocalHubRule(name: "manage", key: "key", claims: [.manage])
        #expect(LocalHubClaim.allCases.allSatisfy(rule.grants))
        #expect(!LocalHubRule.developmentListen.grants(.send))
    }
}
