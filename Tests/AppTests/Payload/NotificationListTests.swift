import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct NotificationListTests {
    private let now = ReportSamples.start.addingTimeInterval(3600)

    @Test("The list is printed as a human-readable table") func listIsPrintedAsAHumanReadableTable()
    {
        let text = Document(
            payloads: [
                ReportSamples.notification(), ReportSamples.notification(recipient: "alice"),
            ], at: now
        ).text()
        let id = NotificationID.placeholder.text
        #expect(
            text == """
                ID                          CAMPAIGN         KIND    TYPE                       BYTES  FOR         STATE      FETCHED  READ  EXPIRES
                \(id)  statement-ready  secure  text/plain; charset=utf-8  1,234  988 people  available      640   312  2026-12-08 09:00:00 UTC
                \(id)  statement-ready  secure  text/plain; charset=utf-8  1,234  alice       available      640   312  2026-12-08 09:00:00 UTC

                """)
    }

    @Test("For an empty list, a sentence is printed") func forAnEmptyListASentenceIsPrinted() throws
    {
        #expect(Document(payloads: [], at: now).text() == "No payloads.\n")
        #expect(
            String(decoding: try NotificationJSON.list([], at: now).line(), as: UTF8.self) == "[]\n"
        )
    }

    @Test(
        "The state of a payload is printed as a word",
        arguments: [
            (ReportSamples.notification(), "available"),
            (ReportSamples.notification(expires: ReportSamples.start), "expired"),
            (ReportSamples.notification(revoked: ReportSamples.start), "revoked"),
            (ReportSamples.notification(byteCount: nil, revoked: ReportSamples.start), "purged"),
            (ReportSamples.notification(kind: .alert, byteCount: nil), "available"),
        ])
    func stateOfAPayloadIsPrintedAsAWord(notification: NotificationOverview, state: String) throws {
        struct Object: Decodable { let state: String }
        let line = try NotificationJSON.list([notification], at: now).line()
        let objects = try JSONDecoder().decode([Object].self, from: Data(line))
        #expect(objects.map(\.state) == [state])
    }

    @Test("Programs get each payload as a JSON object")
    func programsGetEachPayloadAsAJSONObject() throws {
        let line = try NotificationJSON.list([ReportSamples.notification()], at: now).line()
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"[{"bytes":1234,"campaign":"statement-ready","created":"2026-12-01T09:00:00Z","#
                + #""encrypted":true,"expires":"2026-12-08T09:00:00Z","fetched":640,"#
                + #""kind":"secure","media_type":"text/plain; charset=utf-8","#
                + #""notification":"aaaaaaaaaaaaaaaaaaaaaaaaaa","read":312,"recipient":null,"#
                + #""recipients":988,"revoked":null,"run":"20261201T090000Z-abcdef","#
                + #""state":"available"}]"# + "\n")
    }
}
