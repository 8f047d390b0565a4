import CampaignCore
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that unusable rows are skipped, counted and listed with `on_bad_row: skip`.
@Suite(.bounded) struct SkippedRowsTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load(_ rows: String) throws -> LoadedCampaign {
        try folder.write("username,city\n" + rows, to: "a.csv")
        return try folder.load(
            TemporaryFolder.campaign(
                audience: "files: [{ path: a.csv, on_bad_row: skip }]",
                payload: "text: \"{{city|here}}\""))
    }

    @Test("Each skipped row produces a warning, and the other rows are read")
    func eachSkippedRowProducesAWarningAndTheOtherRowsAreRead() throws {
        let loaded = try load("alice,Rome\nbo b,Oslo\ncarol\ndave,Bern\n")
        #expect(loaded.diagnostics.isEmpty)
        let checked = try #require(loaded.checkedAudience())
        #expect(try checked.all(.named).map(\.username.text) == ["alice", "dave"])
        #expect(try checked.all(.excluded).isEmpty)
        let warnings = checked.skippedRows
        #expect(warnings.map(\.severity) == [.warning, .warning])
        #expect(warnings.map(\.range.line) == [3, 4])
        #expect(warnings.allSatisfy { $0.message.text.hasSuffix(" The row is skipped.") })
        #expect(warnings == loaded.checkAudienceFiles())
        let plain = try #require(loaded.audience)
        #expect(try plain.all(.named).map(\.username.text) == ["alice", "dave"])
    }

    @Test("At most twenty skipped rows are listed, and the others are counted")
    func atMostTwentySkippedRowsAreListedAndTheOthersAreCounted() throws {
        let loaded = try load(String(repeating: "bad name,x\n", count: 53) + "alice,Rome\n")
        let found = loaded.checkAudienceFiles()
        #expect(found.count == 21)
        #expect(!found.hasErrors)
        #expect(found.last?.message.text == "33 more rows of this file are skipped.")
        #expect(found.last?.help?.text.hasPrefix("53 rows are skipped in total") == true)
    }

    @Test("A line that is not UTF-8 is skipped only if the encoding is declared")
    func lineThatIsNotUTF8IsSkippedOnlyIfTheEncodingIsDeclared() throws {
        let rows = Array("username,city\nalice,Rome\nbob,K".utf8) + [0xF6] + Array("ln\n".utf8)
        try folder.write(rows, to: "a.csv")
        func check(_ options: String) throws -> [Diagnostic] {
            try folder.load(
                TemporaryFolder.campaign(
                    audience: "files: [{ path: a.csv, on_bad_row: skip\(options) }]",
                    payload: "text: \"{{city|here}}\"")
            ).checkAudienceFiles()
        }
        let undeclared = try check("")
        #expect(undeclared.map(\.severity) == [.error])
        #expect(undeclared.first?.range.line == 3)
        let help = try #require(undeclared.first?.help?.text)
        #expect(help.contains("encoding: windows-1252"))
        #expect(help.hasSuffix("add \"encoding: utf-8\" to the file's entry."))
        #expect(try check(", encoding: utf-8").map(\.severity) == [.warning])
        #expect(try check(", encoding: windows-1252").isEmpty)
    }

    @Test("A file that cannot be read to its end still produces an error")
    func fileThatCannotBeReadToItsEndStillProducesAnError() throws {
        let loaded = try load("bo b,Oslo\nalice,\"Rome\nbob,Bern\n")
        let checked = try #require(loaded.checkedAudience())
        _ = try checked.all(.named)
        let errors = #expect(throws: AudienceFileErrors.self) { try checked.all(.excluded) }
        #expect(errors?.diagnostics.map(\.severity) == [.warning, .error])
        #expect(errors?.diagnostics.last?.rule == Rule.invalidCSV.id)
    }
}
