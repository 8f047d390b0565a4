import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct AudienceFilesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("username,city\ncarol,Rome\ndave,\n", to: "a.csv")
        try folder.write("erin\nalice\n", to: "b.txt")
    }

    private func load(_ audience: String, city: String = "{{city|here}}") throws -> LoadedCampaign {
        try folder.load(
            TemporaryFolder.campaign(audience: audience, payload: "text: \"\(city)\""))
    }

    @Test("People are read in file order with their origins and values", arguments: [1, 2, 100])
    func peopleAreReadInFileOrderWithTheirOriginsAndValues(_ step: Int) throws {
        let loaded = try load(
            "usernames: [alice, bob], files: [a.csv, b.txt], exclude: {files: [b.txt]}")
        let people = try #require(loaded.audience)
        let named = try people.all(.named, step: step)
        #expect(named.map(\.username.text) == ["alice", "bob", "carol", "dave", "erin", "alice"])
        #expect(named.map(\.origin.file) == [0, 0, 1, 1, 2, 2])
        #expect(named.map(\.origin.line) == [4, 4, 2, 3, 1, 2])
        #expect(named.map(\.values) == [[nil], [nil], ["Rome"], [nil], [nil], [nil]])
        let excluded = try people.all(.excluded, step: step)
        #expect(excluded.map(\.username.text) == ["erin", "alice"])
        #expect(excluded.map(\.origin.file) == [4, 4])
    }

    @Test("A reader that has reached its end returns nothing more")
    func readerThatHasReachedItsEndReturnsNothingMore() throws {
        let people = try #require(try load("usernames: [alice]").audience)
        var reader = try people.reader(of: .named)
        #expect(try reader.next(10).count == 1)
        #expect(try reader.next(10).isEmpty)
        #expect(try reader.next(10).isEmpty)
        #expect(try people.all(.excluded).isEmpty)
    }

    @Test("The error for a deleted file is a sentence")
    func errorForADeletedFileIsASentence() throws {
        let people = try #require(try load("files: [b.txt]").audience)
        try FileManager.default.removeItem(atPath: folder.path + "/b.txt")
        let error = #expect(throws: AudienceFileError.self) { try people.all(.named) }
        #expect(error?.description.contains("There is no file \"b.txt\".") == true)
    }

    @Test("The error for a file that became invalid gives its line but names nobody")
    func errorForAFileThatBecameInvalidGivesItsLineButNamesNobody() throws {
        let people = try #require(try load("files: [b.txt]").audience)
        try folder.write("erin\nal ice\n", to: "b.txt")
        let error = #expect(throws: AudienceFileError.self) { try people.all(.named) }
        #expect(error?.range.line == 2)
        #expect(error?.description.contains("b.txt, line 2, column 1") == true)
        #expect(error?.description.contains("al ice") == false, "it may end in any log")
    }

    @Test("An exclusion file that becomes empty produces an error")
    func exclusionFileThatBecomesEmptyProducesAnError() throws {
        let people = try #require(try load("files: [a.csv], exclude: {files: [b.txt]}").audience)
        try folder.write("\n", to: "b.txt")
        #expect(throws: AudienceFileError.self) { try people.all(.excluded) }
    }

    @Test("With allow_empty, exclusion files may be missing as well as empty")
    func withAllowEmptyExclusionFilesMayBeMissingAsWellAsEmpty() throws {
        let audience =
            "files: [a.csv], exclude: {files: [b.txt, gone.txt, none.csv], allow_empty: true}"
        try folder.write("", to: "none.csv")
        let people = try #require(try load(audience).audience)
        try folder.write("", to: "b.txt")
        #expect(try people.all(.excluded).isEmpty)
        try folder.write("zoe\n", to: "gone.txt")
        #expect(try people.all(.excluded).map(\.username.text) == ["zoe"])
    }

    @Test("A file that has become a link out of the folder is not read")
    func fileThatHasBecomeALinkOutOfTheFolderIsNotRead() throws {
        let people = try #require(try load("files: [b.txt]").audience)
        try FileManager.default.removeItem(atPath: folder.path + "/b.txt")
        try folder.link("b.txt", to: "../../etc/passwd")
        #expect(throws: AudienceFileError.self) { try people.all(.named) }
    }

    @Test("At most twenty errors of a file are listed, and the others are counted")
    func atMostTwentyErrorsOfAFileAreListedAndTheOthersAreCounted() throws {
        try folder.write(String(repeating: "bad name\n", count: 137) + "alice\n", to: "b.txt")
        let loaded = try load("files: [b.txt, a.csv]")
        #expect(loaded.diagnostics.allSatisfy { $0.severity == .warning })
        let found = loaded.checkAudienceFiles()
        #expect(found.count == 21)
        #expect(found.last?.message.text == "This file has 117 more findings.")
        #expect(found.last?.range.line == 20)
    }

    @Test("Valid files have no findings") func validFilesHaveNoFindings() throws {
        let loaded = try load("usernames: [alice], files: [a.csv, b.txt]")
        #expect(loaded.checkAudienceFiles().isEmpty)
    }
}
