import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct NotificationTextTests {
    private func text(
        _ overview: NotificationOverview, bytes: [UInt8]?, message: String? = nil
    ) -> String {
        let notification = StoredNotification(
            id: overview.id, run: overview.run, kind: overview.kind, type: nil,
            texts: Texts(message: message), mediaType: overview.mediaType, bytes: bytes,
            digest: nil, created: overview.created, expires: overview.expires)
        return Document(payload: overview, notification, at: ReportSamples.start).text()
    }

    @Test("The text of a payload appears below its properties")
    func textOfAPayloadAppearsBelowItsProperties() {
        let shown = text(
            ReportSamples.notification(recipient: "alice"), bytes: Array("Dear Alice,\n👋".utf8))
        #expect(
            shown == """
                aaaaaaaaaaaaaaaaaaaaaaaaaa
                  campaign    statement-ready
                  run         20261201T090000Z-abcdef
                  kind        secure
                  media type  text/plain; charset=utf-8
                  bytes       16
                  for         alice
                  at rest     encrypted
                  state       available
                  created     2026-12-01 09:00:00 UTC
                  expires     2026-12-08 09:00:00 UTC
                  fetched by  640
                  read by     312

                Dear Alice,
                👋

                """)
    }

    /// A notification with every property that a campaign can set.
    private func whole(_ overview: NotificationOverview) -> StoredNotification {
        StoredNotification(
            id: overview.id, run: overview.run, kind: .rich, language: LanguageTag("pt-BR"),
            type: "img", texts: Texts(title: "Sale\nnow", message: "Olá"),
            link: "https://shop.example/sale", data: ["campaign": "spring", "a": "1"],
            mediaType: overview.mediaType, bytes: Array("Dear".utf8), digest: nil,
            created: overview.created, expires: overview.expires)
    }

    @Test("Title, language, link and data are among the properties")
    func titleLanguageLinkAndDataAreAmongTheProperties() {
        let overview = ReportSamples.notification()
        let shown = Document(payload: overview, whole(overview), at: ReportSamples.start).text()
        #expect(
            shown.contains(
                """
                  language    pt-BR
                  type        img
                  title       Sale now
                  message     Olá
                  link        https://shop.example/sale
                  data        a=1
                  data        campaign=spring

                """))
    }

    @Test("The JSON contains the whole payload") func jsonContainsTheWholePayload() throws {
        let overview = ReportSamples.notification(recipient: "alice")
        let bytes = try NotificationJSON.object(overview, whole(overview), at: ReportSamples.start)
            .line()
        let line = String(decoding: bytes, as: UTF8.self)
        for part in [
            #""title":"Sale\nnow""#, #""message":"Olá""#, #""link":"https://shop.example/sale""#,
            #""data":{"a":"1","campaign":"spring"}"#, #""language":"pt-BR""#, #""type":"img""#,
            #""text":"Dear""#, #""recipient":"alice""#, #""state":"available""#,
            #""bytes":4"#,
        ] {
            #expect(line.contains(part), "\(part) in \(line)")
        }
        #expect(line.hasSuffix("}\n"))
    }

    @Test("Missing properties are not in the JSON") func missingPropertiesAreNotInTheJSON() throws {
        let overview = ReportSamples.notification()
        let bare = StoredNotification(
            id: overview.id, run: overview.run, kind: .secure, type: nil, mediaType: "image/png",
            bytes: [0xFF], digest: nil, created: overview.created, expires: overview.expires)
        let bytes = try NotificationJSON.object(overview, bare, at: ReportSamples.start).line()
        let line = String(decoding: bytes, as: UTF8.self)
        for key in ["title", "link", "data", "language", "text"] {
            #expect(!line.contains("\"\(key)\":"), "\(key) in \(line)")
        }
    }

    @Test("Control characters in a payload are escaped")
    func controlCharactersInAPayloadAreEscaped() {
        let hostile = "\u{1B}[2J\u{9B}31m\u{202E}evil\rgone\u{7}"
        let shown = text(ReportSamples.notification(), bytes: Array(hostile.utf8), message: hostile)
        #expect(
            !shown.unicodeScalars.contains {
                "\u{1B}\u{9B}\u{202E}\r\u{7}".unicodeScalars.contains($0)
            })
        #expect(shown.contains(#"\u{1B}[2J\u{9B}31m\u{202E}evil\rgone\u{7}"#))
    }

    @Test("Content that is not text is not printed") func contentThatIsNotTextIsNotPrinted() {
        var picture = ReportSamples.notification()
        picture.mediaType = "image/png"
        #expect(text(picture, bytes: [0x89, 0x50]).hasSuffix("--output FILE\n"))
        #expect(
            text(ReportSamples.notification(), bytes: [0xFF, 0xFE]).hasSuffix("--output FILE\n"))
    }

    @Test("A purged payload is shown as purged") func purgedPayloadIsShownAsPurged() {
        let shown = text(ReportSamples.notification(byteCount: nil), bytes: nil)
        #expect(shown.hasSuffix("\nThe content was purged.\n"))
        #expect(shown.contains("  state       purged\n"))
    }
}
