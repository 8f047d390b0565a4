import TestSupport
import Testing

@testable import CampaignCore
@testable import Delivery

@Suite(.bounded) struct PayloadRendererTests {
    private func payload(
        message: String? = nil, type: String? = nil, content: PayloadContent?
    ) throws -> Payload {
        Payload(
            texts: Texts(message: try message.map { LocalizedTemplate(try MessageTemplate($0)) }),
            type: try type.map { try MessageTemplate($0) }, content: content,
            isMessagePrivate: false, expiresAfter: .seconds(60))
    }

    private func member(_ values: [String?]) -> AudienceMember {
        AudienceMember(
            username: Username(checked: "alice"), values: values,
            origin: AudienceOrigin(file: 1, line: 2))
    }

    @Test("Values are looked up by column and encoded in URLs")
    func valuesAreLookedUpByColumnAndEncodedInURLs() throws {
        let url = try MessageTemplate("https://shop.example/{{code}}?n={{name}}")
        let payload = try payload(message: "Hi {{name}}", type: "url", content: .url(url))
        var renderer = PayloadRenderer(payload)
        let notification = try renderer.notification(
            .placeholder, for: member(["Ann & Co", "a/b"]))
        #expect(notification.texts.message == "Hi Ann & Co")
        #expect(notification.type == "url")
        #expect(
            notification.content
                == .text("https://shop.example/a%2Fb?n=Ann%20%26%20Co", mediaType: "text/uri-list"))
    }

    @Test("Text is stored as UTF-8") func textIsStoredAsUTF8() throws {
        let payload = try payload(content: .text(try MessageTemplate("Balance: {{sum|none}}")))
        var renderer = PayloadRenderer(payload)
        #expect(
            try renderer.notification(.placeholder, for: member([nil])).content
                == .text("Balance: none", mediaType: "text/plain; charset=utf-8"))
    }

    @Test("A person gets all texts in their language") func personGetsAllTextsInTheirLanguage()
        throws
    {
        let text = { (word: String) in
            LocalizedTemplate(
                try MessageTemplate("\(word) {{a|x}}"),
                others: [
                    (
                        language: try #require(LanguageTag("de")),
                        template: try MessageTemplate("\(word) de {{b}}")
                    )
                ])
        }
        let content = try text("text")
        let payload = Payload(
            texts: Texts(
                title: try text("title"), message: try text("message"),
                placeholder: try text("placeholder")), type: nil, content: .text(content.fallback),
            contentText: content, link: try MessageTemplate("https://e/{{b|-}}"),
            data: [(key: "k", value: try MessageTemplate("{{a|y}}"))],
            platformTexts: [.fcm: Texts(message: try text("short"))], isMessagePrivate: false,
            expiresAfter: .seconds(60))
        #expect(payload.variables == ["a", "b"])
        var renderer = PayloadRenderer(payload)
        let austrian = AudienceMember(
            username: Username(checked: "anna"), values: ["A", "B c"],
            language: LanguageTag("de-AT"), origin: AudienceOrigin(file: 1, line: 1))
        let found = try renderer.notification(.placeholder, for: austrian)
        #expect(found.language == LanguageTag("de"))
        #expect(found.texts.title == "title de B c" && found.texts.message == "message de B c")
        #expect(found.texts.placeholder == "placeholder de B c")
        #expect(found.link == "https://e/B%20c" && found.data == ["k": "A"])
        #expect(found.texts(on: .fcm).message == "short de B c")
        #expect(found.texts(on: .apns).message == "message de B c")
        #expect(found.content == .text("text de B c", mediaType: "text/plain; charset=utf-8"))
        // Only people who get German texts need the value.
        #expect(renderer.missing(for: member([nil, nil])).isEmpty)
        let bare = AudienceMember(
            username: austrian.username, values: [], language: austrian.language,
            origin: austrian.origin)
        #expect(renderer.missing(for: bare) == ["b"])
    }

    @Test("A file is stored unchanged") func fileIsStoredUnchanged() throws {
        let file = PayloadFile(path: "logo.png", mediaType: "image/png", bytes: [1, 2, 3])
        let renderer = PayloadRenderer(try payload(content: .file(file)))
        #expect(try renderer.notification(.placeholder, in: nil).content == .file(file))
    }

    @Test("Only variables without a default can be missing")
    func onlyVariablesWithoutADefaultCanBeMissing() throws {
        let payload = try payload(
            message: "{{a|x}} {{b}} {{c}}", content: .text(try MessageTemplate("{{a}} {{b}}")))
        var renderer = PayloadRenderer(payload)
        #expect(renderer.missing(for: member([nil, "", nil])) == ["a", "b", "c"])
        #expect(renderer.missing(for: member(["1", "2"])) == ["c"])
        #expect(renderer.missing(for: member(["1", "2", "3"])).isEmpty)
        #expect(throws: MissingVariable(name: "c")) {
            try renderer.notification(.placeholder, for: member(["1", "2"]))
        }
    }
}
