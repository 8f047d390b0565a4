import CampaignCore

@testable import App

enum PreviewSamples {
    /// Two languages, a placeholder, a different text on wns, and all options.
    static func rich() throws -> PreviewModel {
        let german = try language("de")
        let file = PayloadFile(path: "images/logo.png", mediaType: "image/png", bytes: [1, 2, 3])
        var model = PreviewModel(
            campaign: "spring-sale", description: "Spring sale, loyalty members", kind: .rich,
            audience: AudienceCounts(named: 1_000, duplicate: 8, excluded: 4, final: 988),
            languages: [
                PreviewLanguage(language: nil, people: 640),
                PreviewLanguage(language: german, people: 348),
            ],
            platforms: [Platform.apns, .fcm, .adm, .wns, .browser].map(platform), requests: 4_940,
            rate: 500, seconds: 9.88, expiresAfter: .seconds(7 * 86_400),
            hub: HubIdentity(host: "contoso.example", name: "news"),
            outlook: PreviewOutlook(action: .begin, deliveries: 4_940),
            remarks: [
                .fewerPeople(
                    by: 1_200,
                    than: PreviewRemark.EarlierRun(
                        id: ReportSamples.run, started: ReportSamples.start)),
                .unusedLanguage(try language("fr"), texts: ["message"]),
            ])
        model.messages = [
            message(nil, people: 640, person: "alice", "Spring sale", "Hi Alice, check this out!"),
            message(german, people: 348, person: "bob", "Frühlingsangebot", "Hallo Bob!"),
        ]
        for index in model.messages.indices { model.messages[index].content = .file(file) }
        model.isPersonal = true
        return model
    }

    /// A secure campaign with one text for everybody.
    static func secure(placeholder: String? = nil, text: String = "There is news.") -> PreviewModel
    {
        PreviewModel(
            campaign: "notice", description: nil, kind: .secure,
            audience: AudienceCounts(named: 2, final: 2), platforms: [platform(.apns)], requests: 2,
            rate: nil, seconds: nil, expiresAfter: .seconds(3_600),
            outlook: PreviewOutlook(action: .begin, deliveries: 2),
            messages: [
                PreviewMessage(
                    language: nil, people: 2, person: nil,
                    appearances: [
                        PreviewAppearance(
                            platforms: [.apns], texts: Texts(placeholder: placeholder))
                    ], content: .text(text))
            ])
    }

    /// A rich campaign with one text for everybody.
    static func richText(_ text: String) -> PreviewModel {
        var model = secure(text: text)
        model.kind = .rich
        for index in model.messages.indices {
            model.messages[index].appearances[0].texts.message = "Look"
        }
        return model
    }

    /// An alert that contains the given text in every key that can have a text.
    static func alert(_ text: String) -> PreviewModel {
        PreviewModel(
            campaign: "notice", description: text, kind: .alert,
            audience: AudienceCounts(named: 2, final: 2), platforms: [platform(.apns)], requests: 2,
            rate: 500, seconds: 1, expiresAfter: .seconds(3_600),
            outlook: PreviewOutlook(action: .begin, deliveries: 2),
            remarks: [.defaultRead(variable: text, people: 1, of: 2)],
            messages: [
                PreviewMessage(
                    language: nil, people: 2, person: Username(checked: text),
                    appearances: [
                        PreviewAppearance(
                            platforms: [.apns, .wns], texts: Texts(title: text, message: text))
                    ], link: text, data: [(key: text, value: text)])
            ], warnings: text)
    }

    static func language(_ tag: String) throws -> LanguageTag {
        guard let language = LanguageTag(tag) else { throw Fault.noLanguage(tag) }
        return language
    }

    private enum Fault: Error {
        case noLanguage(String)
    }

    private static func message(
        _ language: LanguageTag?, people: Int, person: String, _ title: String, _ text: String
    ) -> PreviewMessage {
        PreviewMessage(
            language: language, people: people, person: Username(checked: person),
            appearances: [
                PreviewAppearance(
                    platforms: [.apns, .fcm, .adm, .browser],
                    texts: Texts(title: title, message: text, placeholder: "You have a new message")
                ),
                PreviewAppearance(
                    platforms: [.wns],
                    texts: Texts(
                        title: title, message: "Short", placeholder: "You have a new message")),
            ], type: "img", link: "https://shop.example/sale",
            data: [(key: "campaign", value: "spring")])
    }

    private static func platform(_ platform: Platform) -> PreviewPlatform {
        PreviewPlatform(
            platform: platform, recipients: 988, worstBytes: 118, limit: 4_096,
            request: PushRequest(
                method: "POST", url: "https://<hub>/messages/?api-version=2015-01",
                headers: [PushHeader("ServiceBusNotification-Tags", "username:alice")],
                body: Array(#"{"aps":{"content-available":1}}"#.utf8)))
    }
}
