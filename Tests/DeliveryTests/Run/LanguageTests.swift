import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct LanguageTests {
    private func text(_ word: String) throws -> LocalizedTemplate {
        LocalizedTemplate(
            try MessageTemplate("\(word) else"),
            others: try ["de", "fr"].map { tag in
                (
                    language: try #require(LanguageTag(tag)),
                    template: try MessageTemplate("\(word) \(tag)")
                )
            })
    }

    private func campaign(
        kind: CampaignKind = .alert, message: LocalizedTemplate? = nil,
        placeholder: LocalizedTemplate? = nil, isMessagePrivate: Bool = false,
        delivery: DeliveryPolicy = DeliveryPolicy(rate: nil)
    ) throws -> Campaign {
        Campaign(
            name: "spring", description: nil, kind: kind, platforms: [.apns, .wns],
            audience: AudienceRule(),
            payload: Payload(
                texts: Texts(
                    title: kind == .secure ? nil : try text("Title"),
                    message: kind == .secure ? nil : try message ?? text("Hi"),
                    placeholder: placeholder), type: nil,
                content: kind == .alert ? nil : .text(try MessageTemplate("All of it")),
                link: try MessageTemplate("https://shop.example/{{a|b}}"), badge: 2,
                platformTexts: kind == .secure
                    ? [:]
                    : [
                        .wns: Texts(message: LocalizedTemplate(try MessageTemplate("Short")))
                    ], isMessagePrivate: isMessagePrivate, expiresAfter: .seconds(60)),
            delivery: delivery, fingerprints: ["audience": "1"])
    }

    /// The same campaign without variables.
    private func shared(delivery: DeliveryPolicy = DeliveryPolicy(rate: nil)) throws -> Campaign {
        let campaign = try campaign(delivery: delivery)
        let payload = campaign.payload
        return Campaign(
            name: campaign.name, description: nil, kind: campaign.kind,
            platforms: campaign.platforms, audience: campaign.audience,
            payload: Payload(
                texts: Texts(title: payload.texts.title, message: payload.texts.message), type: nil,
                content: nil, badge: 2, platformTexts: payload.platformTexts,
                isMessagePrivate: false, expiresAfter: .seconds(60)),
            delivery: delivery, fingerprints: ["audience": "1"])
    }

    /// `u00001` and so on, with languages in turn.
    private func people(_ count: Int, _ languages: [String?] = ["de-AT", nil, "fr", "it"])
        -> [AudienceMember]
    {
        ListedAudience.people(count: count).enumerated().map { index, person in
            AudienceMember(
                username: person.username,
                language: languages[index % languages.count].flatMap(LanguageTag.init),
                origin: person.origin)
        }
    }

    private func body(_ platform: Platform, _ user: Int, of bench: TestBench) -> String {
        let name = "u0000\(user)"
        let sent = bench.sender.sent.first { $0.platform == platform && $0.username.text == name }
        return String(decoding: sent?.body ?? [], as: UTF8.self)
    }

    @Test("People get the texts for their language and their platform")
    func peopleGetTheTextsForTheirLanguageAndTheirPlatform() async throws {
        let bench = TestBench()
        let summary = try await bench.run(shared(), people: people(8))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 16]))
        for (user, word) in [(1, "de"), (2, "else"), (3, "fr"), (4, "else"), (5, "de")] {
            #expect(
                body(.apns, user, of: bench)
                    == #"{"aps":{"alert":{"title":"Title \#(word)","body":"Hi \#(word)"},"badge":2}}"#
            )
            let toast = body(.wns, user, of: bench)
            #expect(toast.contains("Title \(word)") && toast.contains("Short"))
            #expect(!toast.contains("badge"))
        }
        let rows = try await bench.ledger.reportPage(
            summary.record.id, after: 0, recipients: 99
        ).rows
        #expect(Set(rows.map(\.notification)).count == 3)
    }

    @Test("Only people with the same language share a request")
    func onlyPeopleWithTheSameLanguageShareARequest() async throws {
        let bench = TestBench()
        let policy = DeliveryPolicy(rate: nil, recipientsPerPush: 20, onUnknown: .resend)
        let summary = try await bench.run(shared(delivery: policy), people: people(80))
        #expect(summary.outcomes == OutcomeCounts([.accepted: 160]))
        let pushes = bench.sender.pages.filter { $0.platform == .apns }.flatMap(\.pushes)
        #expect(pushes.map(\.usernames.count).sorted() == [20, 20, 20, 20])
        for push in pushes {
            let text = String(decoding: push.body, as: UTF8.self)
            let word = ["de", "fr"].first { text.contains("Hi \($0)") } ?? "else"
            let expected: Set<Int> = word == "de" ? [1] : word == "fr" ? [3] : [2, 0]
            #expect(
                push.usernames.allSatisfy {
                    expected.contains((Int($0.text.dropFirst()) ?? -1) % 4)
                })
        }
        #expect(summary.record.requests == 8)
    }

    @Test("A plan counts the people per language") func planCountsThePeoplePerLanguage()
        async throws
    {
        let campaign = try shared(delivery: DeliveryPolicy(rate: nil, recipientsPerPush: 4))
        let plan = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: people(10, ["de-AT", nil])),
            sorter: TestBench.sorter(), now: TestBench.start
        ).plan
        #expect(plan.problems.isEmpty)
        #expect(plan.languages.map(\.language?.text) == ["de", "fr", nil])
        #expect(plan.languages.map(\.recipients) == [5, 0, 5])
        #expect(plan.languages.map(\.first?.username.text) == ["u00001", nil, "u00002"])
        // Five of each language, four per request, on two platforms.
        #expect(plan.requests == 8)
    }

    @Test("The longest text of all languages in use is measured")
    func longestTextOfAllLanguagesInUseIsMeasured() async throws {
        let long = LocalizedTemplate(
            try MessageTemplate("Hi"),
            others: [
                (
                    language: try #require(LanguageTag("fr")),
                    template: try MessageTemplate(String(repeating: "x", count: 5_000))
                )
            ])
        let campaign = try campaign(message: long)
        let problems = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: people(4)),
            sorter: TestBench.sorter(), now: TestBench.start
        ).plan.problems
        guard case .bodyTooLarge(.apns, let bytes, 4096, let language, let member)? = problems.first
        else {
            Issue.record("no fault of apns: \(problems)")
            return
        }
        // wns has its own short text.
        #expect(problems.count == 1 && bytes > 5_000)
        #expect(member?.username.text == "u00003" && language?.text == "fr")
        let fewer = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: people(2)),
            sorter: TestBench.sorter(), now: TestBench.start
        ).plan.problems
        #expect(fewer.isEmpty)
    }

    @Test("A placeholder makes a secure push visible but reveals nothing")
    func placeholderMakesASecurePushVisibleButRevealsNothing() async throws {
        let bench = TestBench()
        let campaign = try campaign(kind: .secure, placeholder: text("News"))
        _ = try await bench.run(campaign, people: people(4))
        let page = try #require(bench.sender.pages.first { $0.platform == .apns })
        #expect(page.headers.contains(PushHeader("apns-push-type", "alert")))
        let body = body(.apns, 1, of: bench)
        #expect(
            body.hasPrefix(
                #"{"aps":{"alert":{"body":"News de"},"mutable-content":1,"badge":2},"secureId":""#))
        #expect(!body.contains("shop.example"))
        let toasts = try #require(bench.sender.pages.first { $0.platform == .wns })
        #expect(toasts.contentType == "application/xml")
        #expect(self.body(.wns, 3, of: bench).contains("News fr"))
    }

    @Test("Private texts are not included in a visible push")
    func privateTextsAreNotIncludedInAVisiblePush() async throws {
        let bench = TestBench()
        let campaign = try campaign(kind: .rich, placeholder: text("News"), isMessagePrivate: true)
        _ = try await bench.run(campaign, people: people(4))
        for platform in [Platform.apns, .wns] {
            let body = body(platform, 1, of: bench)
            #expect(body.contains("News de"))
            for secret in ["Title", "Hi", "Short", "shop.example"] {
                #expect(!body.contains(secret), "\(platform)")
            }
        }
    }
}
