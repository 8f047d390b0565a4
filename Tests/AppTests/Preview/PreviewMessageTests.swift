import CampaignCore
import Delivery
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PreviewMessageTests {
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
                texts: Texts(
                    title: try text("Sale", ["de": "Angebot"]),
                    message: try text("Hi {{name|there}}", ["de": "Hallo {{name|du}}"]),
                    placeholder: try text("News")), type: try MessageTemplate("url"),
                content: .url(try MessageTemplate("https://shop.example/{{name|all}}")),
                link: try MessageTemplate("https://shop.example/?n={{name|all}}"),
                platformTexts: [.wns: Texts(message: try text("Short"))],
                isMessagePrivate: isMessagePrivate, expiresAfter: .seconds(60)))
    }

    private func person(_ value: String?, reading language: String? = nil) -> AudienceMember {
        AudienceMember(
            username: Username(checked: "alice"), values: [value],
            language: language.flatMap { LanguageTag($0) },
            origin: AudienceOrigin(file: 0, line: 1))
    }

    private func message(
        _ campaign: Campaign, for member: AudienceMember?, people: Int?
    ) throws -> PreviewMessage {
        PreviewMessage(
            try campaign.sample(for: member, in: nil), of: campaign, to: member, people: people)
    }

    @Test("Values are filled in wherever a variable is used")
    func valuesAreFilledInWhereverAVariableIsUsed() throws {
        let message = try message(rich(), for: person("A & B", reading: "de"), people: 7)
        #expect(message.person?.text == "alice")
        #expect(message.appearances.map(\.platforms) == [[.apns, .fcm], [.wns]])
        #expect(message.appearances.map(\.texts.message) == ["Hallo A & B", "Short"])
        #expect(message.appearances.map(\.texts.title) == ["Angebot", "Angebot"])
        #expect(
            message.appearances.allSatisfy { $0.texts.placeholder == "News" && $0.isTitleEarly })
        #expect(message.link == "https://shop.example/?n=A%20%26%20B")
    }

    @Test("Devices on all platforms fetch the same content")
    func devicesOnAllPlatformsFetchTheSameContent() throws {
        let message = try message(rich(isMessagePrivate: true), for: person("Ann"), people: 1)
        #expect(message.appearances.map(\.platforms) == [[.apns, .fcm, .wns]])
        #expect(message.appearances.map(\.texts.message) == ["Hi Ann"])
    }

    @Test("A person without a value sees the default")
    func personWithoutAValueSeesTheDefault() throws {
        let message = try message(rich(), for: person(nil), people: nil)
        #expect(message.appearances.first?.texts.message == "Hi there")
        #expect(message.defaults == ["name"])
    }

    @Test("Without values, variables are shown as written")
    func withoutValuesVariablesAreShownAsWritten() throws {
        let message = try message(rich(), for: nil, people: 7)
        #expect(message.person == nil)
        #expect(message.appearances.first?.texts.message == "Hi {{name|there}}")
    }

    @Test("A secure campaign shows its placeholder and the text that it fetches")
    func secureCampaignShowsItsPlaceholderAndTheTextThatItFetches() throws {
        let payload = Payload(
            texts: Texts(placeholder: try text("Look")), type: nil,
            content: .text(try MessageTemplate("News for {{name}}")), isMessagePrivate: true,
            expiresAfter: .seconds(60))
        let message = try message(campaign(.secure, payload), for: person("Ann"), people: 1)
        #expect(message.appearances.count == 1)
        #expect(message.appearances.first?.texts.message == nil)
        #expect(message.appearances.first?.texts.placeholder == "Look")
        guard case .text("News for Ann") = message.content else {
            Issue.record("\(String(describing: message.content))")
            return
        }
    }
}
