import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

/// A report without a person looks as if written after that person was forgotten.
@Suite(.bounded) struct NamelessReportTests {
    private static let said = #"400: "no", <b> for username:alice, \ 1"#

    /// The rows of two people, before or after one is forgotten.
    private func rows(ofNobody isForgotten: Bool, _ name: String = "alice") -> [ReportRow] {
        let recipient = isForgotten ? "" : name
        let detail = Self.said.replacing("alice", with: name)
        let kept = #"400: "no", <b> for username:"#
        return [
            ReportSamples.row(recipient: recipient, hubMessage: isForgotten ? nil : "m,1"),
            ReportSamples.row(
                recipient: recipient, platform: .fcm, outcome: .rejected,
                detail: isForgotten ? kept : detail, hubMessage: isForgotten ? nil : "m-2"),
            ReportSamples.row(recipient: "alice2", detail: "=a, \"b\"", hubMessage: "m-3"),
            ReportSamples.row(recipient: "bob", detail: "username:\(isForgotten ? "" : name)."),
            ReportSamples.row(recipient: "carol", detail: "username:alice.b", hubMessage: "alice"),
        ]
    }

    private func text(_ format: ReportFormat, _ rows: [ReportRow], example: String) throws -> String
    {
        var details = ReportSamples.details()
        details.overview.reasons[0].example = Username(checked: example)
        guard format != .text else {
            return RunSummaryText(details.overview, style: .plain).text()
        }
        let renderer: any ReportRenderer =
            format == .html
            ? RunPage(
                details, command: CommandForm(), made: ReportSamples.start, digest: { "\($0.utf8.count)" }
            )
            : try #require(format.renderer(run: ReportSamples.run, campaign: "welcome"))
        var bytes = renderer.header()
        // A page's rows are in several elements.
        renderer.append(Array(rows.prefix(3)), to: &bytes)
        renderer.append([], to: &bytes)
        renderer.append(Array(rows.dropFirst(3)), to: &bytes)
        return String(decoding: bytes + renderer.footer(), as: UTF8.self)
    }

    private func nameless(_ text: String, _ name: String = "alice") -> String {
        var report = NamelessReport(of: Username(checked: name))
        var bytes: [UInt8] = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        {
            bytes += report.next(Array(line) + [UInt8(ascii: "\n")])
        }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    @Test(arguments: ReportFormat.allCases)
    func aReportIsAsIfItWereWrittenOfNobody(format: ReportFormat) throws {
        let before = try text(format, rows(ofNobody: false), example: "alice")
        let after = try text(format, rows(ofNobody: true), example: "(forgotten)")
        #expect(before != after)
        #expect(WrittenReport.matches(Array(after.utf8)))
        #expect(nameless(before) == after)
        #expect(nameless(after) == after)
    }

    /// A page does not repeat values of the previous row.
    @Test(arguments: [ReportFormat.csv, .jsonl, .html])
    func whatOthersWereToldOfTheSameRequestStaysButForTheName(format: ReportFormat) throws {
        func rows(_ name: String, _ detail: String, others: String) -> [ReportRow] {
            [(name, detail), (name, detail), ("bob", others), ("carol", others)].enumerated().map {
                index, told in
                ReportSamples.row(
                    recipient: told.0, platform: index == 1 ? .fcm : .apns, outcome: .rejected,
                    detail: told.1, hubMessage: nil)
            }
        }
        let said = "400: username:alice || username:bob"
        let before = try text(format, rows("alice", said, others: said), example: "alice")
        let after = try text(
            format, rows("", "400: username:", others: "400: username: || username:bob"),
            example: "(forgotten)")
        #expect(nameless(before) == after)
    }

    /// In a table, such a name has a prefix.
    @Test(arguments: ["@alice", "-alice"], [ReportFormat.csv, .jsonl, .html])
    func aNameThatLooksLikeAFormulaIsTakenOutToo(name: String, format: ReportFormat) throws {
        let before = try text(format, rows(ofNobody: false, name), example: name)
        let after = try text(format, rows(ofNobody: true, name), example: "(forgotten)")
        #expect(nameless(before, name) == after)
    }

    /// People named like a word of the report.
    @Test(arguments: [
        "run", "recipient", "accepted", "apns", "detail", "tbody", "null", "0", "welcome",
    ])
    func whoeverIsNotInAReportChangesNothing(name: String) throws {
        for format in ReportFormat.allCases {
            let report = try text(format, rows(ofNobody: false), example: "alice")
            #expect(nameless(report, name) == report)
        }
    }

    @Test func aListOfWhatSomebodyWasSentNamesNobody() {
        let text = PersonText(Username(checked: "alice"), style: .plain).text()
        #expect(nameless(text) == "No run of this store was for (forgotten).\n")
    }

    @Test(arguments: ["a,b", "a\"b", "\"\"", "", "=1", "'", "a\rb"])
    func whatIsReadOfACellIsWrittenAsItWas(cell: String) {
        var row: [UInt8] = []
        for (place, cell) in [cell, "x", cell].enumerated() {
            if place > 0 { row.append(UInt8(ascii: ",")) }
            CSVCell.append(cell, to: &row)
        }
        let texts = CSVCell.texts(of: row + [UInt8(ascii: "\n")])
        #expect(texts[0] == (cell == "=1" ? "'=1" : cell))
        var again: [UInt8] = []
        for (place, text) in texts.enumerated() {
            if place > 0 { again.append(UInt8(ascii: ",")) }
            CSVCell.append(text, to: &again)
        }
        #expect(again == row)
    }
}
