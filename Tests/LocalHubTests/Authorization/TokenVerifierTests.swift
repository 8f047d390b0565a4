import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TokenVerifierTests {
    private let verifier = TokenVerifier(rules: LocalHubRule.development, skew: .seconds(300))

    private func failure(
        _ header: String?, host: String = "localhost", path: String = "/hubsend/messages",
        now: Date = HubUnderTest.now
    ) -> AuthorizationFailure? {
        do {
            _ = try verifier.rule(provenBy: header, host: host, path: path, now: now)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "An unreadable token is reported as malformed",
        arguments: [
            "Bearer abc", "SharedAccessSignature", "SharedAccessSignature ",
            "SharedAccessSignature sr&sig&se&skn",
            "SharedAccessSignature sig=YQ%3D%3D&se=1767225600&skn=a",
            "SharedAccessSignature sr=a&se=1767225600&skn=a",
            "SharedAccessSignature sr=a&sig=YQ%3D%3D&skn=a",
            "SharedAccessSignature sr=a&sig=YQ%3D%3D&se=1767225600",
            "SharedAccessSignature sr=a&sr=a&sig=YQ%3D%3D&se=1767225600&skn=a",
            "SharedAccessSignature sr=a&sig=YQ%3D%3D&se=soon&skn=a",
            "SharedAccessSignature sr=a&sig=YQ%3D%3D&se=-1&skn=a",
            "SharedAccessSignature sr=a&sig=YQ%3D%3D&se=99999999999999999999&skn=a",
            "SharedAccessSignature sr=a&sig=%&se=1767225600&skn=a",
            "SharedAccessSignature sr=a&sig=no%20base64&se=1767225600&skn=a",
            // Padding in the middle, and too much padding.
            "SharedAccessSignature sr=a&sig=Bg%3Dg%3D%3D&se=1767225600&skn=a",
            "SharedAccessSignature sr=a&sig=slcE%3D&se=1767225600&skn=a",
            "SharedAccessSignature sr=%GG&sig=YQ%3D%3D&se=1767225600&skn=a",
            "SharedAccessSignature sr=https%3a%2f%2f&sig=YQ%3D%3D&se=1767225600&skn=a",
        ])
    func unreadableTokenIsReportedAsMalformed(header: String) {
        #expect(failure(header) == .malformedToken)
    }

    @Test("A cached token is still checked for expiry and address")
    func cachedTokenIsStillCheckedForExpiryAndAddress() {
        let header = TestToken.make(.developmentFull, audience: "http://localhost/hubsend")
        #expect(failure(header) == nil)
        #expect(verifier.proven.count == 1)
        #expect(failure(header, now: HubUnderTest.now + 3_900) == .expiredToken)
        #expect(failure(header, host: "elsewhere") == .invalidAudience)
        #expect(failure(header, path: "/other/messages") == .invalidAudience)
        #expect(failure(header) == nil)
        #expect(verifier.proven.count == 1)
    }

    @Test("A changed copy of a valid token is not cached")
    func changedCopyOfAValidTokenIsNotCached() {
        let header = TestToken.make(.developmentFull)
        #expect(failure(header) == nil)
        #expect(failure(header.replacing("Full", with: "Send")) == .invalidSignature)
        #expect(failure(header + "0") == .invalidSignature)
        #expect(failure(TestToken.make(LocalHubRule(name: "x", key: "y", claims: []))) != nil)
        #expect(verifier.proven.count == 1)
    }

    @Test("The number of cached tokens is limited") func numberOfCachedTokensIsLimited() {
        let expiry = Int(HubUnderTest.now.timeIntervalSince1970) + 3_600
        for number in 0...ProvenTokens.limit {
            #expect(failure(TestToken.make(.developmentSend, expiry: expiry + number)) == nil)
            #expect(verifier.proven.count <= ProvenTokens.limit)
        }
    }

    @Test("A missing token produces its own error") func missingTokenProducesItsOwnError() {
        #expect(failure(nil) == .missingToken)
        #expect(failure("") == .missingToken)
    }

    @Test("Token parts may come in any order") func tokenPartsMayComeInAnyOrder() {
        let parts = TestToken.make(.developmentFull).split(separator: " ")[1].split(separator: "&")
        #expect(failure("sharedaccesssignature \(parts.reversed().joined(separator: "&"))") == nil)
    }

    @Test("A wrong key and an unknown rule give the same error")
    func wrongKeyAndAnUnknownRuleGiveTheSameError() {
        var rule = LocalHubRule.developmentFull
        rule.key = "another key"
        #expect(failure(TestToken.make(rule)) == .invalidSignature)
        rule = .developmentFull
        rule.name = "nobody"
        #expect(failure(TestToken.make(rule)) == .invalidSignature)
    }

    @Test("Changing the audience or expiry breaks the signature")
    func changingTheAudienceOrExpiryBreaksTheSignature() {
        let token = TestToken.make(.developmentFull, audience: "http://localhost/hubsend")
        #expect(failure(token.replacing("hubsend", with: "hubsenD")) == .invalidSignature)
        #expect(failure(token.replacing("&se=1", with: "&se=2")) == .invalidSignature)
        // The same audience with hex digits in another case is a different signed text.
        #expect(failure(token.replacing("%3a", with: "%3A")) == .invalidSignature)
    }

    @Test("An expired token is accepted only within the clock skew")
    func expiredTokenIsAcceptedOnlyWithinTheClockSkew() {
        let expiry = 1_767_222_000
        let token = TestToken.make(.developmentFull, expiry: expiry)
        let at = { (second: Int) in Date(timeIntervalSince1970: Double(expiry + second)) }
        #expect(failure(token, now: at(-1)) == nil)
        #expect(failure(token, now: at(299)) == nil)
        #expect(failure(token, now: at(300)) == .expiredToken)
        #expect(failure(TestToken.make(.developmentFull, expiry: .max), now: at(0)) == nil)
    }

    @Test(
        "A token's audience may be a prefix of the request's address",
        arguments: [
            "https://localhost", "https://LOCALHOST:443/", "sb://localhost/hubsend/",
            "http://localhost/hubsend/messages/", "localhost/HubSend",
            "https://localhost:8443/hubsend/messages?api-version=2020-06",
        ])
    func tokensAudienceMayBeAPrefixOfTheRequestsAddress(audience: String) {
        #expect(failure(TestToken.make(.developmentFull, audience: audience)) == nil)
    }

    @Test(
        "An audience must match whole path segments",
        arguments: [
            "http://localhos", "http://localhost/hub", "http://localhost/hubsen",
            "http://localhost/hubsend/message", "http://localhost/hubsend/messages/1",
            "http://other/hubsend", "http://localhost.evil/hubsend",
            "http://evil/localhost/hubsend",
        ])
    func audienceMustMatchWholePathSegments(audience: String) {
        #expect(failure(TestToken.make(.developmentFull, audience: audience)) == .invalidAudience)
    }

    @Test("IPv6 hosts are compared with their brackets")
    func iPv6HostsAreComparedWithTheirBrackets() {
        let token = TestToken.make(.developmentFull, audience: "http://[::1]:8080/hubsend")
        #expect(failure(token, host: "[::1]") == nil)
        #expect(failure(token, host: "[::2]") == .invalidAudience)
    }

    @Test("The description of a rule hides its key") func descriptionOfARuleHidesItsKey() {
        var dumped = ""
        dump(LocalHubRule.developmentSend, to: &dumped)
        for text in [dumped, "\(LocalHubRule.developmentSend)", "\(LocalHubRule.development)"] {
            #expect(text.contains("DefaultSendSharedAccessSignature"))
            #expect(!text.contains(LocalHubRule.developmentSend.key))
        }
    }

    @Test(
        "A path may be signed before or after percent-encoding",
        arguments: [
            ("http://localhost/hubsend/messages/$batch/", "/hubsend/messages/%24batch"),
            ("http://localhost/hubsend/messages/%24batch", "/hubsend/messages/%24batch"),
            (
                "http://localhost/hubsend/tags/a@b/registrations",
                "/hubsend/tags/a%40b/registrations"
            ),
        ])
    func pathMayBeSignedBeforeOrAfterPercentEncoding(audience: String, path: String) {
        let header = TestToken.make(.developmentFull, audience: audience)
        #expect(failure(header, path: path) == nil)
        #expect(failure(header, path: "/hubsend/other%24batch") == .invalidAudience)
    }
}
