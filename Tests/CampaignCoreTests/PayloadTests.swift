import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct PayloadTests {
    private func payload(
        message: String?, type: String? = nil, content: PayloadContent? = nil
    ) throws -> Payload {
        Payload(
            texts: Texts(message: try message.map { LocalizedTemplate(try MessageTemplate($0)) }),
            type: try type.map { try MessageTemplate($0) }, content: content,
            isMessagePrivate: false, expiresAfter: .seconds(60))
    }

    @Test("Variables are listed once, in order of appearance")
    func variablesAreListedOnceInOrderOfAppearance() throws {
        let payload = try payload(
            message: "{{b}} {{a}} {{b|x}}", type: "{{c}}",
            content: .url(MessageTemplate("https://example.com/{{a}}/{{d}}")))
        #expect(payload.variables == ["b", "a", "c", "d"])
        #expect(payload.isPersonal)
    }

    @Test("A payload file is the same for everybody") func payloadFileIsTheSameForEverybody() throws
    {
        let file = PayloadFile(path: "a.png", mediaType: "image/png", bytes: [1])
        let payload = try payload(message: "Hi", type: "img", content: .file(file))
        #expect(payload.variables == [])
        #expect(!payload.isPersonal)
    }
}
