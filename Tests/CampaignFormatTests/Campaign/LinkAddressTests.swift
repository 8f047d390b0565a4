import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct LinkAddressTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,id,scheme\nalice,7,myapp\n", to: "people.csv")
    }

    private func load(_ url: String, schemes: Set<String>) throws -> LoadedCampaign {
        let text = TemporaryFolder.campaign(
            kind: "kind: rich", audience: "files: [people.csv]",
            payload: "message: Hi, type: url, url: \"\(url)\"")
        return try CampaignFile.read(
            folder.write(text, to: "campaign.yaml"),
            terms: CampaignTerms(limits: CampaignLimits(urlSchemes: schemes)))
    }

    @Test(
        "A scheme that the config allows is accepted",
        arguments: [
            "https://example.org/{{id}}", "HTTPS://example.org", "myapp://offers/{{id}}",
            "MyApp://offers", "myapp:///offers", "myapp:offers?id={{id}}", "myapp://", "tel:{{id}}",
        ])
    func schemeThatTheConfigAllowsIsAccepted(_ url: String) throws {
        let loaded = try load(url, schemes: ["myapp", "tel"])
        #expect(loaded.diagnostics.isEmpty)
        guard case .url(let template)? = loaded.campaign?.payload.content else {
            Issue.record("The content is no address.")
            return
        }
        #expect(template.source == url)
    }

    @Test(
        "The rules for addresses apply to every scheme",
        arguments: [
            ("http://example.org/", "\"payload.url\" does not begin with https://."),
            ("https:example.org", "\"payload.url\" does not begin with https://."),
            ("other://offers", "\"payload.url\" does not begin with https://."),
            ("{{scheme}}://offers", "\"payload.url\" does not begin with https://."),
            ("my{{scheme}}://offers", "\"payload.url\" does not begin with https://."),
            ("myapp:", "\"payload.url\" has nothing after \"myapp:\"."),
            ("myapp://{{id}}/offers", "The host of \"payload.url\" contains a variable."),
            ("myapp://me:pass@offers", "\"payload.url\" contains a user name or password."),
            (
                "myapp://a b",
                "\"payload.url\" contains the character U+0020, which is not allowed in addresses."
            ),
        ] as [(String, String)])
    func rulesForAddressesApplyToEveryScheme(_ url: String, message: String) throws {
        let loaded = try load(url, schemes: ["myapp", "myx", "x"])
        #expect(loaded.diagnostics.map(\.message.text) == [message])
        #expect(loaded.diagnostics.map(\.rule) == ["invalid-url"])
    }

    @Test("A scheme that the config does not allow is refused")
    func schemeThatTheConfigDoesNotAllowIsRefused() throws {
        let loaded = try load("myapp://offers", schemes: [])
        #expect(
            loaded.diagnostics.map(\.help) == [
                "To allow links such as myapp:, write limits: { url_schemes: [myapp] } in hubsend.yaml."
            ])
    }

    @Test(
        "A config can allow app schemes but not unsafe ones",
        arguments: [
            ("a", nil), ("com.example.app+x-1", nil), ("https", nil), ("tel", nil),
            ("", .notAScheme), ("1a", .notAScheme), ("A", .notAScheme), ("a:", .notAScheme),
            ("ä", .notAScheme), (String(repeating: "a", count: 65), .notAScheme),
            ("http", .unprotected), ("javascript", .unsafe), ("data", .unsafe), ("file", .unsafe),
            ("vbscript", .unsafe), ("intent", .unsafe),
        ] as [(String, URLScheme.Refusal?)])
    func configCanAllowAppSchemesButNotUnsafeOnes(_ scheme: String, _ refusal: URLScheme.Refusal?) {
        #expect(URLScheme.refusal(of: scheme) == refusal)
    }
}
