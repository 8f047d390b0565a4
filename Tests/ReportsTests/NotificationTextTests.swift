import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Reports

/// One stored payload, shown.
@Suite(.bounded) struct NotificationTextTests {
    private func text(
        _ overview: NotificationOverview, bytes: [UInt8]?, message: String? = nil
    ) -> String {
        let notification = StoredNotification(
            id: overview.id, run: overview.run, kind: overview.kind, type: nil, message: message,
            mediaType: overview.mediaType, bytes: bytes, digest: nil, created: overview.created,
            expires: overview.expires)
        return NotificationText(overview, notification, at: Samples.start, style: .plain).text()
    }

    @Test func itsTextStandsBelowWhatItIs() {
        let shown = text(
            Samples.notification(recipient: "alice"), bytes: Array("Dear Alice,\n👋".utf8))
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

    @Test func aPayloadCannotSteerTheTerminal() {
        let hostile = "\u{1B}[2J\u{9B}31m\u{202E}evil\rgone\u{7}"
        let shown = text(Samples.notification(), bytes: Array(hostile.utf8), message: hostile)
        #expect(
            !shown.unicodeScalars.contains {
                "\u{1B}\u{9B}\u{202E}\r\u{7}".unicodeScalars.contains($0)
            })
        #expect(shown.contains(#"\u{1B}[2J\u{9B}31m\u{202E}evil\rgone\u{7}"#))
    }

    @Test func whatIsNoTextIsNotPrinted() {
        var picture = Samples.notification()
        picture.mediaType = "image/png"
        #expect(text(picture, bytes: [0x89, 0x50]).hasSuffix("--output FILE\n"))
        #expect(text(Samples.notification(), bytes: [0xFF, 0xFE]).hasSuffix("--output FILE\n"))
    }

    @Test func aPurgedPayloadSaysSo() {
        let shown = text(Samples.notification(byteCount: nil), bytes: nil)
        #expect(shown.hasSuffix("\nIts content was purged.\n"))
        #expect(shown.contains("  state       purged\n"))
    }
}
