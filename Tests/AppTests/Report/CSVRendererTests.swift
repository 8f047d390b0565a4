import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct CSVRendererTests {
    private let renderer = CSVRenderer(run: ReportSamples.run, campaign: "welcome")

    private func text(_ rows: [ReportRow]) -> String {
        var bytes: [UInt8] = []
        renderer.append(rows, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("The header has the documented columns") func headerHasTheDocumentedColumns() {
        #expect(
            String(decoding: renderer.header(), as: UTF8.self)
                == "run,campaign,recipient,platform,notification,outcome,detail,hub_message,"
                + "attempts,recorded_at,pns,fetched_at,read_at\n")
    }

    @Test("The cells of a row are in the order of the columns")
    func cellsOfARowAreInTheOrderOfTheColumns() {
        #expect(
            text([ReportSamples.row()])
                == "20261201T090000Z-abcdef,welcome,alice,apns,aaaaaaaaaaaaaaaaaaaaaaaaaa,"
                + "accepted,,73622a22-1,1,2026-12-01T09:00:00Z,,,\n")
    }

    @Test("There is a column for the push services' responses")
    func thereIsAColumnForThePushServicesResponses() throws {
        let row = ReportSamples.row(pushServices: "Success 2, =WrongToken")
        let cells = try #require(CSVReader.rows(Array(text([row]).utf8))?.first)
        #expect(cells[10] == "Success 2, =WrongToken")
        #expect(cells.count == 13)
    }

    @Test("A missing value is an empty cell") func missingValueIsAnEmptyCell() {
        let row = ReportSamples.row(
            outcome: .notAttempted, hubMessage: nil, attempts: 0, recordedAt: nil)
        #expect(text([row]).hasSuffix(",not_attempted,,,0,,,,\n"))
    }

    @Test(
        "A cell that looks like a formula gets an apostrophe",
        arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
    func cellThatLooksLikeAFormulaGetsAnApostrophe(text: String) throws {
        var bytes: [UInt8] = []
        CSVCell.append(text, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        #expect(try #require(CSVReader.rows(bytes)) == [["'" + text]])
    }

    @Test("A username or detail that looks like a formula gets an apostrophe")
    func usernameOrDetailThatLooksLikeAFormulaGetsAnApostrophe() throws {
        let row = ReportSamples.row(
            recipient: "@alice", detail: "=cmd|' /C calc'!A0", hubMessage: "-1")
        let cells = try #require(CSVReader.rows(Array(text([row]).utf8))?.first)
        #expect(cells[2] == "'@alice")
        #expect(cells[6] == "'=cmd|' /C calc'!A0")
        #expect(cells[7] == "'-1")
    }

    @Test("The hub's detail is one line of at most 200 characters")
    func hubsDetailIsOneLineOfAtMost200Characters() throws {
        let long = ReportSamples.row(
            outcome: .rejected, detail: "400: a\r\nb\u{0}c" + String(repeating: "é", count: 300))
        let cells = try #require(CSVReader.rows(Array(text([long]).utf8))?.first)
        #expect(cells[6].hasPrefix("400: a b cé"))
        #expect(cells[6].unicodeScalars.count == 200)
    }

    @Test("A CSV reader can read every row", arguments: 1...20 as ClosedRange<UInt64>)
    func csvReaderCanReadEveryRow(seed: UInt64) throws {
        let rows = ReportSamples.rows(200, seed: seed)
        var bytes = renderer.header()
        renderer.append(Array(rows[..<77]), to: &bytes)
        renderer.append(Array(rows[77...]), to: &bytes)
        let read = try #require(CSVReader.rows(bytes))
        #expect(read.count == 201)
        #expect(read.allSatisfy { $0.count == ReportColumn.names.count })
        for (row, cells) in zip(rows, read.dropFirst()) {
            #expect(cells[2] == defused(row.recipient.text))
            #expect(cells[3] == row.platform.rawValue)
            #expect(cells[5] == row.outcome.rawValue)
            #expect(cells[6] == defused(HubText.cleaned(row.detail)))
            #expect(cells[7] == defused(row.hubMessage.map { HubText.cleaned($0) } ?? ""))
            #expect(cells[8] == "\(row.attempts)")
            #expect(cells[9] == row.recordedAt.map { $0.formatted(.iso8601) } ?? "")
        }
    }

    private func defused(_ text: String) -> String {
        guard let first = text.first, "=+-@".contains(first) else { return text }
        return "'" + text
    }

    @Test("The rows have columns for fetches and reads") func rowsHaveColumnsForFetchesAndReads() {
        let row = ReportSamples.row(
            fetchedAt: ReportSamples.start.addingTimeInterval(60),
            readAt: ReportSamples.start.addingTimeInterval(90))
        #expect(text([row]).hasSuffix(",,2026-12-01T09:01:00Z,2026-12-01T09:01:30Z\n"))
    }

    @Test(
        "The detail says that a payload was revoked",
        arguments: [
            ("", "payload revoked 2026-12-01T09:00:00Z"),
            ("HTTP 201", "HTTP 201; payload revoked 2026-12-01T09:00:00Z"),
        ])
    func detailSaysThatAPayloadWasRevoked(detail: String, expected: String) throws {
        let row = ReportSamples.row(detail: detail, revokedAt: ReportSamples.start)
        let cells = try #require(CSVReader.rows(Array(text([row]).utf8))?.first)
        #expect(cells[6] == expected)
    }
}
