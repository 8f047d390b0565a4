import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct PayloadOptionsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,code\ncarol,A1\n", to: "loyalty.csv")
    }

    private func load(_ kind: String, _ payload: String) throws -> LoadedCampaign {
        let lines = payload.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        return try folder.load(
            """
            campaign: spring-sale
            kind: \(kind)
            platforms: [apns, fcm, wns, adm, browser]
            audience:
              files: [loyalty.csv]
            payload:
            \(lines)
            """)
    }

    private func payload(_ kind: String, _ payload: String) throws -> Payload {
        let loaded = try load(kind, payload)
        return try #require(loaded.campaign, "\(loaded.diagnostics.map(\.rule))").payload
    }

    @Test("Every option is read into the payload") func everyOptionIsReadIntoThePayload() throws {
        let payload = try payload(
            "alert",
            """
            title: { default: Sale, de: Aktion, pt-br: Promo }
            message: Hi!
            link: "https://shop.example/{{code}}"
            data: { second: "2", first: "{{code|x}}", third: on }
            badge: 0
            sound: default
            thread: sale
            wns: { message: Short, title: { default: T, fr: U } }
            """)
        #expect(payload.texts.title?.fallback.source == "Sale")
        #expect(payload.texts.title?.languages.map(\.text) == ["de", "pt-BR"])
        #expect(payload.texts.message?.others.isEmpty == true)
        #expect(payload.link?.source == "https://shop.example/{{code}}")
        #expect(payload.data.map(\.key) == ["second", "first", "third"])
        #expect(payload.data.map(\.value.source) == ["2", "{{code|x}}", "on"])
        #expect(payload.badge == 0 && payload.sound == "default" && payload.thread == "sale")
        #expect(payload.platformTexts.keys.map(\.rawValue) == ["wns"])
        #expect(payload.texts(on: .wns).message?.fallback.source == "Short")
        #expect(payload.texts(on: .fcm).message?.fallback.source == "Hi!")
        #expect(payload.languages.map(\.text) == ["de", "pt-BR", "fr"])
        #expect(payload.variables == ["code"])
        #expect(payload.texts.placeholder == nil)
    }

    @Test("Fetched text may have several languages")
    func fetchedTextMayHaveSeveralLanguages() throws {
        let payload = try payload("secure", "text: { default: Ready, de: \"Fertig, {{code}}\" }")
        #expect(payload.languages.map(\.text) == ["de"])
        #expect(payload.variables == ["code"])
        guard case .text(let own)? = payload.content(in: LanguageTag("de-AT")),
            case .text(let other)? = payload.content(in: nil)
        else {
            Issue.record("The content is no text.")
            return
        }
        #expect(own.source == "Fertig, {{code}}")
        #expect(other.source == "Ready")
    }

    @Test(
        "Title and message are private if any of the texts has a variable",
        arguments: [
            ("message: Hi", false), ("message: \"{{code}}\"", true),
            ("message: Hi\ntitle: \"{{code}}\"", true),
            ("message: { default: Hi, de: \"{{code}}\" }", true),
            ("message: Hi\nfcm: { message: \"{{code}}\" }", true),
            ("message: \"{{code}}\"\nprivate_message: false", false),
            ("message: Hi\nprivate_message: true", true),
            ("message: Hi\nlink: \"https://e.example/{{code}}\"", true),
            ("message: Hi\nlink: \"https://e.example/{{code}}\"\nprivate_message: false", false),
            ("message: Hi\ndata: { open: spring, own: \"{{code}}\" }", true),
            ("message: Hi\nlink: https://e.example/\ndata: { open: spring }", false),
        ])
    func titleAndMessageArePrivateIfAnyOfTheTextsHasAVariable(
        text: String, isPrivate: Bool
    ) throws {
        #expect(
            try payload("rich", text + "\ntype: text\ntext: All").isMessagePrivate == isPrivate)
    }

    @Test(
        "Link and data with variables are left out of the push unless allowed",
        arguments: [
            ("", true), ("private_message: true", true), ("private_message: false", false),
        ])
    func linkAndDataWithVariablesAreLeftOutOfThePushUnlessAllowed(
        line: String, isPrivate: Bool
    ) throws {
        let options = try payload(
            "rich",
            """
            message: Hi
            type: text
            text: All
            link: "https://shop.example/{{code}}"
            data: { open: spring, own: "{{code}}" }
            \(line)
            """
        ).pushOptions
        #expect(options.isLinkPrivate == isPrivate)
        #expect(options.privateData == (isPrivate ? ["own"] : []))
    }

    /// If the message is in the push, the device fetches only the content, so the other texts would
    /// be lost.
    @Test(
        "A push with a message omits nothing that the device needs",
        arguments: ["", "private_message: true", "private_message: false"])
    func pushWithAMessageOmitsNothingThatTheDeviceNeeds(line: String) throws {
        let payload = try payload(
            "rich",
            """
            message: Hi
            type: text
            text: All
            link: "https://shop.example/{{code}}"
            data: { own: "{{code}}" }
            \(line)
            """)
        let options = payload.pushOptions
        #expect(
            payload.isMessagePrivate || (!options.isLinkPrivate && options.privateData.isEmpty))
    }

    @Test("Only a link with variables makes a secure payload personal")
    func onlyALinkWithVariablesMakesASecurePayloadPersonal() throws {
        try folder.write("All about it.", to: "letter.txt")
        #expect(
            try payload("secure", "text: Hi\nlink: \"https://e.example/{{code}}\"").isPersonal)
        #expect(
            try !payload("secure", "file: letter.txt\nlink: https://e.example/").isPersonal)
    }

    @Test("A rich file may have a personal link") func richFileMayHaveAPersonalLink() throws {
        try folder.write("All about it.", to: "letter.txt")
        #expect(
            try payload(
                "rich",
                "message: Hi\ntype: text\nfile: letter.txt\nlink: \"https://e.example/{{code}}\""
            ).isPersonal)
    }

    @Test("A secure file with a personal link is refused")
    func secureFileWithAPersonalLinkIsRefused() throws {
        try folder.write("All about it.", to: "letter.txt")
        let loaded = try load(
            "secure", "file: letter.txt\nlink: \"https://e.example/{{code}}\"")
        #expect(loaded.campaign == nil)
        let found = try #require(loaded.diagnostics.first)
        #expect(loaded.diagnostics.count == 1)
        #expect(found.rule == "invalid-template")
        #expect(
            found.message.text
                == "\"payload.link\" of a secure campaign cannot have variables together with \"file\": the file would be stored once per person."
        )
        // The error is placed at the variable, not at the text that contains it.
        #expect(found.range.line == 8 && found.range.column == 28)
    }

    @Test(
        "A rich placeholder may have variables only if values are allowed",
        arguments: [
            ("apns: { placeholder: \"{{code}}\" }", false), ("placeholder: \"{{code|x}}\"", false),
            ("placeholder: { default: News, de: \"{{code}}\" }\nprivate_message: true", false),
            ("placeholder: \"{{code}}\"\nprivate_message: false", true),
            ("placeholder: News", true),
        ])
    func richPlaceholderMayHaveVariablesOnlyIfValuesAreAllowed(
        text: String, isGood: Bool
    ) throws {
        let loaded = try load("rich", "message: Hi\ntype: text\ntext: All\n" + text)
        #expect((loaded.campaign != nil) == isGood)
        #expect(
            loaded.diagnostics.filter { $0.severity == .error }.map(\.rule)
                == (isGood ? [] : ["secure-leak"]))
    }

    @Test(
        "A lifetime that a platform extends produces a warning",
        arguments: [
            (
                "59s",
                ["On adm, a push is kept for at least 1m, which is longer than \"expires_after\"."]
            ),
            ("60s", []), ("1m", []), ("7d", []),
        ])
    func lifetimeThatAPlatformExtendsProducesAWarning(life: String, messages: [String]) throws {
        let loaded = try load("alert", "message: Hi\nexpires_after: \(life)")
        #expect(loaded.campaign != nil)
        #expect(loaded.diagnostics.map(\.message.text) == messages)
        #expect(loaded.diagnostics.allSatisfy { $0.severity == .warning && $0.rule == "no-effect" })
    }

    @Test("A placeholder can be set for a single platform")
    func placeholderCanBeSetForASinglePlatform() throws {
        let options = try payload("secure", "text: \"{{code}}\"\nwns: { placeholder: News }")
            .pushOptions
        #expect(options.placeholders == [.wns])
    }

    @Test(
        "Content that a push cannot contain is refused",
        arguments: [
            ("alert", "message: Hi\nplaceholder: News", "key-not-for-kind"),
            ("alert", "message: Hi\napns: { placeholder: News }", "key-not-for-kind"),
            ("secure", "text: Hi\nfcm: { title: News }", "key-not-for-kind"),
            ("secure", "text: Hi\napns: { placeholder: \"{{code}}\" }", "secure-leak"),
            ("secure", "text: Hi\nplaceholder: { default: News, de: \"{{code}}\" }", "secure-leak"),
            ("secure", "text: Hi\ndata: { a: \"{{code}}\" }", "secure-leak"),
            ("alert", "message: Hi\nbadge: -1", "out-of-range"),
            ("alert", "message: Hi\nlink: javascript:alert(1)", "invalid-url"),
            ("alert", "message: Hi\nlink: \"https://{{code}}.example/\"", "invalid-url"),
            ("alert", "message: Hi\ndata: [a]", "wrong-type"),
            ("alert", "message: Hi\ndata: { RichID: a }", "invalid-name"),
            ("alert", "message: Hi\ndata: { google.x: a }", "invalid-name"),
            ("alert", "message: Hi\nwns: Short", "wrong-type"),
            ("alert", "message: { }", "missing-key"),
            ("alert", "message: Hi\ntitle: \"a\\x07\"", "unwritable-character"),
            ("secure", "text: Hi\nplaceholder: \"a\\x07\"", "unwritable-character"),
        ])
    func contentThatAPushCannotContainIsRefused(kind: String, text: String, rule: String) throws {
        let loaded = try load(kind, text)
        #expect(loaded.campaign == nil)
        #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.rule) == [rule])
    }
}
