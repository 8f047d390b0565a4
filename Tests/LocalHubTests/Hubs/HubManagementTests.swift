import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct HubManagementTests {
    private static let resources = "/$Resources/NotificationHubs?api-version=2020-06"
    private static let shop = "/shop?api-version=2020-06"

    private func texts(_ name: String, in answer: TestResponse) -> [String] {
        answer.text.components(separatedBy: "<\(name)>").dropFirst().map {
            String($0.prefix { $0 != "<" })
        }
    }

    private func titles(_ answer: TestResponse) -> [String] {
        answer.text.components(separatedBy: "<title type=\"text\">").dropFirst(2).map {
            String($0.prefix { $0 != "<" })
        }
    }

    private func token(_ name: String, _ key: String, audience: String = "http://localhost/shop")
        -> String
    {
        TestToken.make(LocalHubRule(name: name, key: key, claims: []), audience: audience)
    }

    private func send(_ hub: HubUnderTest, _ token: String, to name: String = "shop") async throws
        -> Int
    {
        try await hub.send(token: token, uri: "/\(name)/messages?api-version=2020-06").status.code
    }

    @Test("A management client can list, create, rekey and delete a hub")
    func managementClientCanListCreateRekeyAndDeleteAHub() async throws {
        try await HubUnderTest.run(setup: .live) { hub in
            // List the hubs.
            #expect(titles(try await hub.request(.get, "/")) == ["hubsend"])
            #expect(titles(try await hub.request(.get, Self.resources)) == ["hubsend"])

            // Create a hub with a credential and a chosen key.
            let apns =
                "<ApnsCredential><Properties><Property><Name>Token</Name><Value>SECRET</Value>"
                + "</Property></Properties></ApnsCredential>"
            let created = try await hub.request(
                .put, Self.shop,
                body: HubRequestBody.entry(
                    apns,
                    rules: [
                        HubRequestBody.rule("backend", ["Send"], primary: "one", secondary: "two")
                    ]))
            #expect(created.status == .created)
            let names = [
                "backend", "DefaultListenSharedAccessSignature", "DefaultFullSharedAccessSignature",
            ]
            #expect(texts("KeyName", in: created) == names)

            // Reading it returns the same description, with the keys that the hub generated.
            let read = try await hub.request(.get, Self.shop)
            #expect(read.text.contains("\(apns)<RegistrationTtl>P90D</RegistrationTtl>"))
            let keys = texts("PrimaryKey", in: read)
            #expect(keys == texts("PrimaryKey", in: created))
            #expect(keys.first == "one")
            #expect(Set(keys + texts("SecondaryKey", in: read)).count == 6)
            #expect(texts("DailyMaxActiveDevices", in: read) == ["0"])

            // Each key is valid for its rights; a device registers with the key that the hub
            // generated.
            let first = token("backend", "one")
            #expect(try await send(hub, first) == 201)
            #expect(try await send(hub, token("backend", "two")) == 201)
            #expect(
                try await hub.request(
                    .put, "/shop/installations/1", token: token(names[1], keys[1]),
                    headers: ["Content-Type": "application/json"],
                    body: #"{"installationId":"1","platform":"apns","pushChannel":"AB12"}"#
                ).status == .ok)
            #expect(try await send(hub, token(names[1], keys[1])) == 403)
            #expect(
                texts("DailyMaxActiveDevices", in: try await hub.request(.get, Self.shop)) == ["1"])

            // Replace the first key after all clients have the second; the old key is invalid
            // immediately.
            let renewed = [
                HubRequestBody.rule("backend", ["Send"], primary: "three", secondary: "two"),
                HubRequestBody.rule("owner", ["Manage"]),
            ]
            let changed = try await hub.request(
                .put, Self.shop, headers: ["If-Match": "*"],
                body: HubRequestBody.entry(apns, rules: renewed))
            #expect(changed.status == .ok)
            #expect(texts("KeyName", in: changed) == ["backend", "owner"])
            #expect(try await send(hub, first) == 401)
            #expect(try await send(hub, token("backend", "two")) == 201)
            #expect(try await send(hub, token("backend", "three")) == 201)
            #expect(try await send(hub, token(names[2], keys[2])) == 401)
            #expect(try await send(hub, TestToken.make(.developmentSend)) == 201)

            // Read the list in pages.
            let page = { (query: String) in
                titles(try await hub.request(.get, "\(Self.resources)&\(query)"))
            }
            #expect(try await page("$skip=0&$top=1") == ["hubsend"])
            #expect(try await page("$skip=1&$top=1") == ["shop"])
            #expect(try await page("%24skip=2&%24top=1") == [])

            // Delete the hub, which also removes its keys.
            let owner = token("owner", try #require(texts("PrimaryKey", in: changed).last))
            #expect(try await hub.request(.delete, Self.shop, token: owner).status == .ok)
            #expect(try await send(hub, token("backend", "two")) == 404)
            #expect(titles(try await hub.request(.get, "/")) == ["hubsend"])
            let again = try await hub.request(.put, Self.shop)
            #expect(again.status == .created)
            #expect(try await send(hub, token("backend", "two")) == 401)
        }
    }

    @Test("The key of a hub is valid only for that hub")
    func keyOfAHubIsValidOnlyForThatHub() async throws {
        let hub = try HubUnderTest()
        for name in ["shop", "shop2"] {
            let answer = try await hub.request(
                .put, "/\(name)",
                body: HubRequestBody.entry(rules: [
                    HubRequestBody.rule("owner", ["Manage"], primary: name)
                ]))
            #expect(answer.status == .created)
        }
        // Some clients sign for the whole namespace instead of the hub.
        for audience in ["http://localhost/", "http://localhost/shop"] {
            let owner = token("owner", "shop", audience: audience)
            // This runs twice, because a cached token must be checked again.
            for _ in 0..<2 {
                #expect(try await send(hub, owner) == 201)
                #expect(try await hub.request(.get, Self.shop, token: owner).status == .ok)
                #expect(try await send(hub, owner, to: "shop2") == 401)
                #expect(try await send(hub, owner, to: "hubsend") == 401)
                for path in ["/", Self.resources, "/hubsend", "/shop2", "/new"] {
                    let answer = try await hub.request(.get, path, token: owner)
                    #expect(answer.status == .unauthorized, "\(path)")
                }
                #expect(try await hub.request(.put, "/new", token: owner).status == .unauthorized)
            }
        }
    }

    @Test("The key of a hub does not authorize a foreign host")
    func keyOfAHubDoesNotAuthorizeAForeignHost() async throws {
        try await HubUnderTest.run(setup: .live) { hub in
            let body = HubRequestBody.entry(rules: [
                HubRequestBody.rule("owner", ["Manage"], primary: "one")
            ])
            #expect(try await hub.request(.put, Self.shop, body: body).status == .created)
            let port = try #require(hub.client.port)
            for (host, status) in [("evil.example", 403), ("localhost", 201)] {
                let owner = token("owner", "one", audience: "http://\(host)/shop")
                let answer = try await RawAnswer.to(
                    "POST /shop/registrationids", port: port, host: host,
                    ["Authorization: \(owner)"], body: "")
                #expect(answer.status == status, "\(host)")
            }
        }
    }

    @Test("The configured hub has no keys of its own until some are set")
    func configuredHubHasNoKeysOfItsOwnUntilSomeAreSet() async throws {
        let hub = try HubUnderTest()
        let before = try await hub.request(.get, "/hubsend")
        #expect(!before.text.contains("AuthorizationRules"))
        #expect(!before.text.contains(LocalHubRule.developmentFull.key))
        let changed = try await hub.request(
            .put, "/hubsend", headers: ["If-Match": "*"],
            body: HubRequestBody.entry(rules: [
                HubRequestBody.rule("app", ["Send"], primary: "one")
            ]))
        #expect(changed.status == .ok)
        #expect(
            try await send(
                hub, token("app", "one", audience: "http://localhost"), to: "hubsend") == 201)
        #expect(try await send(hub, TestToken.make(.developmentSend), to: "hubsend") == 201)
    }

    @Test("An update without rules does not change the rules")
    func updateWithoutRulesDoesNotChangeTheRules() async throws {
        let hub = try HubUnderTest()
        let created = try await hub.request(.put, Self.shop)
        let ttl = try await hub.request(
            .put, Self.shop, headers: ["If-Match": "*"],
            body: HubRequestBody.entry("<RegistrationTtl>P1D</RegistrationTtl>"))
        #expect(texts("RegistrationTtl", in: ttl) == ["P1D"])
        #expect(texts("PrimaryKey", in: ttl) == texts("PrimaryKey", in: created))
        // A rule without keys keeps its old keys; an empty list removes all rules.
        let kept = try await hub.request(
            .put, Self.shop, headers: ["If-Match": "*"],
            body: HubRequestBody.entry(rules: [
                HubRequestBody.rule("DefaultListenSharedAccessSignature", ["Listen"])
            ]))
        #expect(texts("PrimaryKey", in: kept) == Array(texts("PrimaryKey", in: created).prefix(1)))
        let none = try await hub.request(
            .put, Self.shop, headers: ["If-Match": "*"],
            body: HubRequestBody.entry(rules: []))
        #expect(!none.text.contains("AuthorizationRules"))
    }

    @Test("A rule records when it was created and changed")
    func ruleRecordsWhenItWasCreatedAndChanged() async throws {
        let clock = TestClock()
        let hub = try HubUnderTest { $0.now = { clock.now } }
        let body = { (primary: String) in
            HubRequestBody.entry(rules: [
                HubRequestBody.rule("a", ["Send"], primary: primary, secondary: "s"),
                HubRequestBody.rule("b", ["Send"], primary: "p", secondary: "s"),
            ])
        }
        let created = try await hub.request(.put, Self.shop, body: body("1"))
        let time = try #require(texts("CreatedTime", in: created).first)
        #expect(time.wholeMatch(of: /[-0-9]{10}T[0-9:]{8}\.[0-9]{7}Z/) != nil, "\(time)")
        clock.advance(by: 1)
        let changed = try await hub.request(
            .put, Self.shop, headers: ["If-Match": "*"], body: body("2"))
        #expect(texts("CreatedTime", in: changed) == [time, time])
        let modified = texts("ModifiedTime", in: changed)
        #expect(modified.last == time)
        #expect(modified.first != time)
    }

    @Test(
        "An invalid rule returns 400",
        arguments: [
            (HubRequestBody.rule("", ["Send"]), "has no KeyName"),
            (HubRequestBody.rule("a", []), "has no rights"),
            (HubRequestBody.rule("a", ["Own"]), "the unknown right \"Own\""),
            (HubRequestBody.rule("a;b", ["Send"]), "no semicolon"),
            (HubRequestBody.rule("a", ["Send"], primary: "x;y"), "no semicolon"),
            (
                HubRequestBody.rule("a", ["Send"], primary: String(repeating: "k", count: 257)),
                "1 to 256 characters"
            ),
            (
                HubRequestBody.rule("a", ["Send"], primary: LocalHubRule.developmentSend.key),
                "a published development key"
            ),
            (
                HubRequestBody.rule("a", ["Send"], secondary: LocalHubRule.developmentFull.key),
                "a published development key"
            ),
            (
                HubRequestBody.rule("a", ["Send"]) + HubRequestBody.rule("a", ["Listen"]),
                "Two authorization rules have the name \"a\""
            ),
            ((1...11).map { HubRequestBody.rule("r\($0)", ["Send"]) }.joined(), "up to 12"),
            ((1...13).map { HubRequestBody.rule("r\($0)", ["Send"]) }.joined(), "up to 12"),
            (
                HubRequestBody.rule("a", ["Send"]).replacing(
                    "SharedAccessAuthorizationRule", with: "AllowRule"),
                "the only type is SharedAccessAuthorizationRule"
            ),
        ])
    func invalidRuleReturns400(rules: String, detail: String) async throws {
        let hub = try HubUnderTest()
        let answer = try await hub.request(
            .put, Self.shop, body: HubRequestBody.entry(rules: [rules]))
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(detail), "\(answer.text)")
        #expect(titles(try await hub.request(.get, "/")) == ["hubsend"])
    }

    @Test(
        "An oversized or invalid description returns 400",
        arguments: [
            (1...33).map { "<E\($0)>x</E\($0)>" }.joined(),
            "<ApnsCredential><Properties>"
                + String(
                    repeating: "<Property><Name>N</Name><Value>V</Value></Property>", count: 33)
                + "</Properties></ApnsCredential>",
            "<ApnsCredential><Properties><Property><Value>V</Value></Property></Properties>"
                + "</ApnsCredential>",
            "<a-b>x</a-b>", "<ü>x</ü>",
        ])
    func oversizedOrInvalidDescriptionReturns400(elements: String) async throws {
        let hub = try HubUnderTest()
        let answer = try await hub.request(.put, Self.shop, body: HubRequestBody.entry(elements))
        #expect(answer.status == .badRequest)
        #expect(
            answer.text.contains("<Detail>The description has")
                || answer.text.contains("ApnsCredential has"), "\(answer.text)")
    }

    @Test("A hub can have ten rules besides the two default rules")
    func hubCanHaveTenRulesBesidesTheTwoDefaultRules() async throws {
        let hub = try HubUnderTest()
        let rules = (1...10).map { HubRequestBody.rule("r\($0)", ["Send"]) }
        let created = try await hub.request(
            .put, Self.shop, body: HubRequestBody.entry(rules: rules))
        #expect(created.status == .created)
        #expect(texts("KeyName", in: created).count == 12)
    }

    @Test("A browser without a token gets the page")
    func browserWithoutATokenGetsThePage() async throws {
        let hub = try HubUnderTest()
        let page = try await hub.request(.get, "/", token: nil)
        #expect(page.header("Content-Type") == "text/html; charset=utf-8")
        let wrong = try await hub.request(.get, "/", token: token("nobody", "x"))
        #expect(wrong.status == .unauthorized)
        #expect(wrong.header("Content-Type") == "application/xml; charset=utf-8")
    }

    @Test("The description of a hub hides keys and credentials")
    func descriptionOfAHubHidesKeysAndCredentials() throws {
        let body = HubRequestBody.entry(
            "<ApnsCredential><Properties><Property><Name>Token</Name><Value>SECRET</Value>"
                + "</Property></Properties></ApnsCredential>",
            rules: [HubRequestBody.rule("a", ["Send"], primary: "SECRET", secondary: "SECRET2")])
        let description = try HubDescriptionDocument(Array(body.utf8)).description(
            at: HubUnderTest.now
        ) { .random(in: .min ... .max) }
        var dumped = ""
        dump(description, to: &dumped)
        for text in [dumped, "\(description)", String(reflecting: description)] {
            #expect(text.contains("Token"))
            #expect(!text.contains("SECRET"))
            for rule in description.rules {
                #expect(!text.contains(rule.primaryKey) && !text.contains(rule.secondaryKey))
            }
        }
    }
}
