import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct LanguageTagTests {
    @Test(
        "A language tag is converted to the case that RFC 5646 recommends",
        arguments: [
            ("de", "de"), ("DE", "de"), ("pt-br", "pt-BR"), ("PT-BR", "pt-BR"),
            ("zh-hant-tw", "zh-Hant-TW"), ("es-419", "es-419"), ("de-1996", "de-1996"),
            ("sl-rozaj-biske", "sl-rozaj-biske"), ("zh-cmn-Hans-CN", "zh-cmn-Hans-CN"),
            ("en-US-u-ca-gregory", "en-US-u-ca-gregory"), ("de-CH-x-AB", "de-CH-x-ab"),
            ("x-house", "x-house"), ("gsw", "gsw"),
        ])
    func languageTagIsConvertedToTheCaseThatRFC5646Recommends(text: String, canonical: String)
        throws
    {
        #expect(try #require(LanguageTag(text)).text == canonical)
    }

    @Test(
        "A malformed language tag is refused",
        arguments: [
            "", "d", "german", "default", "fallback", "de_DE", "de-", "-de", "de--DE", "de DE",
            "dé",
            "de-DE-AT", "de-123456789", "en-u", "x", "de-x", "de-1996-1996", "1de", "de-u-ca-u-nu",
            String(repeating: "de-", count: 40) + "de", "de\u{0}",
        ])
    func malformedLanguageTagIsRefused(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test("The prefixes of a language tag get shorter and never end with a single letter")
    func prefixesOfALanguageTagGetShorterAndNeverEndWithASingleLetter() throws {
        #expect(
            try #require(LanguageTag("zh-Hant-TW")).prefixes.map(\.text)
                == ["zh-Hant-TW", "zh-Hant", "zh"])
        #expect(
            try #require(LanguageTag("en-US-u-ca-gregory")).prefixes.map(\.text)
                == ["en-US-u-ca-gregory", "en-US-u-ca", "en-US", "en"])
    }

    private func tag(_ text: String) throws -> LanguageTag { try #require(LanguageTag(text)) }

    private func text() throws -> LocalizedTemplate {
        LocalizedTemplate(
            try MessageTemplate("Hi!"),
            others: [
                (language: try tag("de"), template: try MessageTemplate("Hallo!")),
                (language: try tag("de-AT"), template: try MessageTemplate("Servus!")),
                (language: try tag("pt-BR"), template: try MessageTemplate("Oi {{name}}!")),
            ])
    }

    @Test(
        "The longest matching prefix of a language tag determines the text",
        arguments: [
            ("de", "Hallo!"), ("DE-de", "Hallo!"), ("de-AT", "Servus!"),
            ("de-AT-1996", "Servus!"), ("pt", "Hi!"), ("pt-BR", "Oi {{name}}!"), ("den", "Hi!"),
        ])
    func longestMatchingPrefixOfALanguageTagDeterminesTheText(language: String, text: String) throws
    {
        #expect(try self.text().template(for: tag(language)).source == text)
    }

    @Test("A person without a language gets the default text")
    func personWithoutALanguageGetsTheDefaultText() throws {
        #expect(try text().template(for: nil).source == "Hi!")
        #expect(try text().variables == ["name"])
    }

    @Test("A person gets all texts of a payload in the same language")
    func personGetsAllTextsOfAPayloadInTheSameLanguage() throws {
        let payload = Payload(
            texts: Texts(title: try text(), message: LocalizedTemplate(try MessageTemplate("M"))),
            type: nil, content: nil,
            platformTexts: [
                .wns: Texts(
                    message: LocalizedTemplate(
                        try MessageTemplate("S"),
                        others: [(language: try tag("fr"), template: try MessageTemplate("C"))]))
            ], isMessagePrivate: false, expiresAfter: .seconds(60))
        #expect(payload.languages.map(\.text) == ["de", "de-AT", "pt-BR", "fr"])
        #expect(payload.isPersonal)
        var choice = LanguageChoice(payload.languages)
        // The language is chosen twice, because the first result is cached.
        for _ in 0..<2 {
            #expect(try choice.language(for: tag("fr-CA")) == tag("fr"))
            #expect(try choice.language(for: tag("de-AT-1996")) == tag("de-AT"))
            #expect(try choice.language(for: tag("it")) == nil)
        }
        #expect(choice.language(for: nil) == nil)
        #expect(try payload.templates(for: tag("fr")).map(\.source) == ["Hi!", "M", "C"])
    }
}
