import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct AudienceMakeupTests {
    private func makeup(
        of people: [AudienceMember], _ languages: [String], message: String = "Hi {{name|you}}"
    ) throws -> AudienceMakeup {
        let template = try MessageTemplate(message)
        let others = try languages.map { (try language($0), template) }
        let payload = Payload(
            texts: Texts(message: LocalizedTemplate(template, others: others.map { ($0, $1) })),
            type: nil, content: nil, isMessagePrivate: false, expiresAfter: .seconds(60))
        let campaign = Campaign(
            name: "spring", description: nil, kind: .alert, platforms: [.apns],
            audience: AudienceRule(), payload: payload, delivery: DeliveryPolicy(),
            fingerprints: [:])
        var survey = RecipientSurvey(campaign, now: TestBench.start)
        try survey.visit(people)
        return survey.makeup
    }

    private func language(_ tag: String) throws -> LanguageTag { try #require(LanguageTag(tag)) }

    private func person(_ name: String, _ language: String?, _ value: String?) -> AudienceMember {
        AudienceMember(
            username: Username(checked: name), values: [value],
            language: language.flatMap(LanguageTag.init), origin: AudienceOrigin(file: 1, line: 1))
    }

    @Test("People whose language has no text are counted")
    func peopleWhoseLanguageHasNoTextAreCounted() throws {
        let people = [
            person("a", "de-AT", "A"), person("b", nil, "B"), person("c", "DE", "C"),
            person("d", "pt-PT", "D"),
        ]
        let makeup = try makeup(of: people, ["de", "pt-BR"])
        #expect(makeup.strangers == [try language("pt-PT"): 1])
    }

    @Test("People without a value are counted for each variable")
    func peopleWithoutAValueAreCountedForEachVariable() throws {
        let people = [person("a", nil, "A"), person("b", nil, nil), person("c", nil, "")]
        let makeup = try makeup(of: people, [])
        #expect(makeup.strangers.isEmpty)
        #expect(makeup.withoutValue == ["name": 2])
        #expect(makeup.firstWithout?.username.text == "b")
    }

    @Test("The number of counted languages is limited")
    func numberOfCountedLanguagesIsLimited() throws {
        let people = (0..<5_000).map { person("u", "en-x-\($0)", "v") }
        let makeup = try makeup(of: people, ["de"])
        #expect(makeup.strangers.count == 1_000)
    }
}
