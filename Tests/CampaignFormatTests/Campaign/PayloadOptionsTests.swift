import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// What titles, languages, placeholders, links and further keys of a good file become.
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

    @Test func everyOptionReachesThePayload() throws {
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
        #expect(payload.title?.fallback.source == "Sale")
        #expect(payload.title?.languages.map(\.text) == ["de", "pt-BR"])
        #expect(payload.message?.others.isEmpty == true)
        #expect(payload.link?.source == "https://shop.example/{{code}}")
        #expect(payload.data.map(\.key) == ["second", "first", "third"])
        #expect(payload.data.map(\.value.source) == ["2", "{{code|x}}", "on"])
        #expect(payload.badge == 0 && payload.sound == "default" && payload.thread == "sale")
        #expect(payload.platformTexts.keys.map(\.rawValue) == ["wns"])
        #expect(payload.texts(on: .wns).message?.fallback.source == "Short")
        #expect(payload.texts(on: .fcm).message?.fallback.source == "Hi!")
        #expect(payload.languages.map(\.text) == ["de", "pt-BR", "fr"])
        #expect(payload.variables == ["code"])
        #expect(payload.placeholder == nil)
    }

    @Test func whatDevicesFetchMayBeInSeveralLanguages() throws {
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
        arguments: [
            ("message: Hi", false), ("message: \"{{code}}\"", true),
            ("message: Hi\ntitle: \"{{code}}\"", true),
            ("message: { default: Hi, de: \"{{code}}\" }", true),
            ("message: Hi\nfcm: { message: \"{{code}}\" }", true),
            ("message: \"{{code}}\"\nprivate_message: false", false),
            ("message: Hi\nprivate_message: true", true),
            ("message: Hi\nlink: \"https://e.example/{{code}}\"", false),
        ])
    func titleAndMessageArePrivateWhenOneHasAVariable(text: String, isPrivate: Bool) throws {
        #expect(
            try payload("rich", text + "\ntype: text\ntext: All").isMessagePrivate == isPrivate)
    }

    @Test(arguments: [
        ("", true), ("private_message: true", true), ("private_message: false", false),
    ])
    func linkAndDataWithVariablesStayOutUnlessTheFileSaysOtherwise(
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

    @Test func aPlaceholderMayBeForOnePlatform() throws {
        let options = try payload("secure", "text: \"{{code}}\"\nwns: { placeholder: News }")
            .pushOptions
        #expect(options.placeholders == [.wns])
    }

    @Test(
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
    func whatAPushCannotHoldIsRefused(kind: String, text: String, rule: String) throws {
        let loaded = try load(kind, text)
        #expect(loaded.campaign == nil)
        #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.rule) == [rule])
    }
}
