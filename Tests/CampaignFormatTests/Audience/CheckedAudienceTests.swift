import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests the checks of an audience while it is read.
@Suite(.bounded) struct CheckedAudienceTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,city\ncarol,Rome\ndave,\n", to: "a.csv")
        try folder.write("erin\nalice\n", to: "b.txt")
    }

    private func load() throws -> LoadedCampaign {
        try folder.load(
            TemporaryFolder.campaign(
                audience: "usernames: [bob], files: [a.csv], exclude: {files: [b.txt]}",
                payload: "text: \"{{city|here}}\""))
    }

    @Test("A valid audience is read identically with and without checks")
    func validAudienceIsReadIdenticallyWithAndWithoutChecks() throws {
        let loaded = try load()
        let checked = try #require(loaded.checkedAudience())
        let plain = try #require(loaded.audience)
        for part in [AudiencePart.named, .excluded] {
            #expect(try checked.all(part) == plain.all(part))
        }
    }

    /// The findings are the same as those of a separate check, and do not depend on the part that
    /// is read last.
    @Test(
        "All errors in the recipients and exclusions are reported at the end",
        arguments: [[AudiencePart.named, .excluded], [.excluded, .named]])
    func allErrorsInTheRecipientsAndExclusionsAreReportedAtTheEnd(parts: [AudiencePart]) throws {
        try folder.write("username,city\ncarol,Rome\nda ve,\nerin\nfay,Oslo\n", to: "a.csv")
        try folder.write("al ice\nbob\n", to: "b.txt")
        let loaded = try load()
        let checked = try #require(loaded.checkedAudience())
        let first = try checked.all(parts[0]).map(\.username.text)
        #expect(first == (parts[0] == .named ? ["bob", "carol", "fay"] : ["bob"]))
        let errors = #expect(throws: AudienceFileErrors.self) { try checked.all(parts[1]) }
        #expect(errors?.diagnostics.count == 3)
        #expect(errors?.diagnostics == loaded.checkAudienceFiles())
    }

    @Test("At most twenty errors of a file are listed while it is read")
    func atMostTwentyErrorsOfAFileAreListedWhileItIsRead() throws {
        let loaded = try load()
        try folder.write(String(repeating: "bad name\n", count: 137), to: "b.txt")
        let checked = try #require(loaded.checkedAudience())
        _ = try checked.all(.named)
        let errors = #expect(throws: AudienceFileErrors.self) { try checked.all(.excluded) }
        #expect(errors?.diagnostics.count == 21)
        #expect(
            errors?.diagnostics.last?.message.text == "This file has 117 more findings.")
    }

    @Test("A missing or emptied file produces one error, and the next file is read")
    func missingOrEmptiedFileProducesOneErrorAndTheNextFileIsRead() throws {
        try folder.write("fay\n", to: "c.txt")
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                audience: "files: [a.csv, c.txt], exclude: {files: [b.txt]}",
                payload: "text: \"{{city|here}}\""))
        let checked = try #require(loaded.checkedAudience())
        try FileManager.default.removeItem(atPath: folder.path + "/a.csv")
        try folder.write("\n", to: "b.txt")
        #expect(try checked.all(.named).map(\.username.text) == ["fay"])
        let errors = #expect(throws: AudienceFileErrors.self) { try checked.all(.excluded) }
        let rules = errors?.diagnostics.map(\.rule)
        #expect(
            rules == [
                Rule.missingFile.id, Rule.emptyExclusion.id,
            ])
    }

    /// The finding is only a warning, so it is not thrown when the people are read.
    @Test("An empty file of recipients causes no error")
    func emptyFileOfRecipientsCausesNoError() throws {
        try folder.write("username,city\n", to: "c.csv")
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                audience: "files: [c.csv, a.csv], exclude: {files: [b.txt]}",
                payload: "text: \"{{city|here}}\""))
        #expect(loaded.diagnostics.map(\.severity) == [.warning])
        #expect(loaded.checkAudienceFiles().isEmpty)
        let checked = try #require(loaded.checkedAudience())
        #expect(try checked.all(.named).map(\.username.text) == ["carol", "dave"])
        #expect(try checked.all(.excluded).map(\.username.text) == ["erin", "alice"])
    }
}
