import CampaignCore
@testable import App
import TestSupport
import Testing


/// A campaign's texts as one person reads them.
@Suite(.bounded) struct MessageReadingTests {
    private func text(_ text: String, _ others: [String: String] = [:]) throws -> LocalizedTemplate
    {
        LocalizedTemplate(
            try MessageTemplate(text),
            others: try others.sorted { $0.key < $1.key }.map {
                (
                    language: try #require(LanguageTag($0.key)),
                    template: try MessageTemplate($0.value)
                )
            })
    }

    private func campaign(_ kind: CampaignKind, _ payload: Payload) -> Campaign {
        Campaign(
            name: "spring", description: nil, kind: kind, platforms: [.apns, .fcm, .wns],
            audience: AudienceRule(), payload: payload, delivery: DeliveryPolicy(),
            fingerprints: [:])
    }

    private func rich(isMessagePrivate: Bool = false) throws -> Campaign {
        campaign(
            .rich,
            Payload(
                title: try text("Sale", ["de": "Angebot"]),
                message: try text("Hi {{name|there}}", ["de": "Hallo {{name|du}}"]),
                type: try MessageTemplate("url"),
                content: .url(try MessageTemplate("https://shop.example/{{name|all}}")),
                placeholder: try text("News"),
                link: try MessageTemplate("https://shop.example/?n={{name|all}}"),
                platformTexts: [.wns: PlatformTexts(message: try text("Short"))],
                isMessagePrivate: isMessagePrivate, expiresAfter: .seconds(60)))
    }

    private func person(_ value: String?) -> AudienceMember {
        AudienceMember(
            username: Username(checked: "alice"), values: [value],
            origin: AudienceOrigin(file: 0, line: 1))
    }

    @Test func valuesAreFilledInWhereTheyLand() throws {
        let german = try #require(LanguageTag("de"))
        let message = try MessageReading(rich()).message(
            for: person("A & B"), in: german, people: 7)
        #expect(message.person?.text == "alice")
        #expect(message.appearances.map(\.platforms) == [[.apns, .fcm], [.wns]])
        #expect(message.appearances.map(\.message) == ["Hallo A & B", "Short"])
        #expect(message.appearances.map(\.title) == ["Angebot", "Angebot"])
        #expect(message.appearances.allSatisfy { $0.placeholder == "News" && $0.isTitleEarly })
        #expect(message.link == "https://shop.example/?n=A%20%26%20B")
    }

    @Test func whatDevicesFetchIsTheSameOnAllPlatforms() throws {
        let message = try MessageReading(rich(isMessagePrivate: true)).message(
            for: person("Ann"), in: nil, people: 1)
        #expect(message.appearances.map(\.platforms) == [[.apns, .fcm, .wns]])
        #expect(message.appearances.map(\.message) == ["Hi Ann"])
    }

    @Test func whoHasNoValueReadsTheDefault() throws {
        let message = try MessageReading(rich()).message(for: person(nil), in: nil, people: nil)
        #expect(message.appearances.first?.message == "Hi there")
        #expect(message.defaults == ["name"])
    }

    @Test func whereValuesAreLeftOutVariablesStandAsTheyAreWritten() throws {
        let message = try MessageReading(rich()).message(for: nil, in: nil, people: 7)
        #expect(message.person == nil)
        #expect(message.appearances.first?.message == "Hi {{name|there}}")
    }

    @Test func aSecureCampaignShowsItsPlaceholderAndFetchesItsText() throws {
        let payload = Payload(
            message: nil, type: nil, content: .text(try MessageTemplate("News for {{name}}")),
            placeholder: try text("Look"), isMessagePrivate: true, expiresAfter: .seconds(60))
        let message = try MessageReading(campaign(.secure, payload)).message(
            for: person("Ann"), in: nil, people: 1)
        #expect(message.appearances.count == 1)
        #expect(message.appearances.first?.message == nil)
        #expect(message.appearances.first?.placeholder == "Look")
        guard case .text("News for Ann") = message.content else {
            Issue.record("\(String(describing: message.content))")
            return
        }
    }
}
