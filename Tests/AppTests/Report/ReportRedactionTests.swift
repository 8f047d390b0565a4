import CampaignCore
import CampaignFormat
import FoundationEssentials
import TestSupport
import Testing

@testable import App

/// Tests reports that cannot be written again from the store.
@Suite(.bounded) struct ReportRedactionTests {
    private static let said = #"400: "no", <b> for username:alice, \ 1"#

    /// The rows of several people, before or after a person is forgotten.
    private func rows(isForgotten: Bool, _ name: String = "alice") -> [ReportRow] {
        let theirs = [
            ReportSamples.row(recipient: name, hubMessage: "m,1"),
            ReportSamples.row(
                recipient: name, platform: .fcm, outcome: .rejected, detail: Self.said),
        ]
        let others = [
            ReportSamples.row(recipient: "alice2", detail: "=a, \"b\"", hubMessage: "m-3"),
            ReportSamples.row(recipient: "bob", detail: "username:\(isForgotten ? "" : name)."),
            ReportSamples.row(recipient: "carol", detail: "username:alice.b", hubMessage: "alice"),
        ]
        return isForgotten ? others : theirs + others
    }

    private func text(_ format: ReportFormat, _ rows: [ReportRow]) throws -> String {
        let renderer = try #require(format.renderer(run: ReportSamples.run, campaign: "welcome"))
        var bytes = renderer.header()
        renderer.append(rows, to: &bytes)
        return String(decoding: bytes + renderer.footer(), as: UTF8.self)
    }

    private func nameless(_ text: String, _ name: String = "alice") -> String {
        let report = ReportRedaction(person: Username(checked: name))
        let lines = text.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bytes = lines.flatMap { report.line(Array($0) + [UInt8(ascii: "\n")]) }
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    /// A CSV cell with a name that looks like a formula has a prefix.
    @Test(
        "A person's rows are removed, and their tag is removed from other rows",
        arguments: ["alice", "@alice", "-alice"], [ReportFormat.csv, .jsonl])
    func personsRowsAreRemovedAndTheirTagIsRemovedFromOtherRows(name: String, format: ReportFormat)
        throws
    {
        let before = try text(format, rows(isForgotten: false, name))
        let after = try text(format, rows(isForgotten: true, name))
        #expect(WrittenReport.matches(Array(after.utf8)))
        #expect(nameless(before, name) == after)
        #expect(nameless(after, name) == after)
    }

    /// Names that also occur as words in the report.
    @Test(
        "Forgetting a person who is not in a report changes nothing",
        arguments: [
            "run", "recipient", "accepted", "apns", "detail", "null", "0", "welcome",
        ])
    func forgettingAPersonWhoIsNotInAReportChangesNothing(name: String) throws {
        for format in [ReportFormat.csv, .jsonl] {
            let report = try text(format, rows(isForgotten: false))
            #expect(nameless(report, name) == report)
        }
        let summary = RunDocument(overview: ReportSamples.details().overview).summary().text()
        #expect(nameless(summary, name) == summary)
    }

    @Test("A summary no longer names a forgotten person as an example")
    func summaryNoLongerNamesAForgottenPersonAsAnExample() {
        let summary = RunDocument(overview: ReportSamples.details().overview).summary().text()
        #expect(summary.contains("such as alice "))
        #expect(nameless(summary) == summary.replacing("alice", with: "(forgotten)"))
    }

    @Test("A person's own report no longer names them") func personsOwnReportNoLongerNamesThem() {
        let text = PersonText(Username(checked: "alice")).document().text()
        #expect(nameless(text) == "No run in this store included (forgotten).\n")
    }

    @Test(
        "Cells are read back as they were written",
        arguments: ["a,b", "a\"b", "\"\"", "", "=1", "'", "a\rb"])
    func cellsAreReadBackAsTheyWereWritten(cell: String) {
        var row: [UInt8] = []
        for (place, cell) in [cell, "x", cell].enumerated() {
            if place > 0 { row.append(UInt8(ascii: ",")) }
            CSVCell.append(cell, to: &row)
        }
        let texts = CSVRecord.texts(of: row + [UInt8(ascii: "\n")])
        #expect(texts[0] == (cell == "=1" ? "'=1" : cell))
        var again: [UInt8] = []
        for (place, text) in texts.enumerated() {
            if place > 0 { again.append(UInt8(ascii: ",")) }
            CSVCell.append(text, to: &again)
        }
        #expect(again == row)
    }
}
