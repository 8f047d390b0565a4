import Glibc
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct CampaignSearchTests {
    private func names(_ paths: [String], in folder: TemporaryFolder) -> [String] {
        CampaignSearch(paths.map(folder.file)).files().map {
            String($0.path.dropFirst(folder.path.count + 1))
        }
    }

    @Test("Files are found in order, regardless of the case of their extension")
    func filesAreFoundInOrderRegardlessOfTheCaseOfTheirExtension() throws {
        let folder = try TemporaryFolder()
        for name in ["b.yml", "a/Z.YAML", "a/deep/x.yaml", "notes.txt", "c.yaml.bak"] {
            try folder.write("", to: "in/" + name)
        }
        #expect(names(["in"], in: folder) == ["in/a/Z.YAML", "in/a/deep/x.yaml", "in/b.yml"])
    }

    @Test("Hidden files and linked folders are skipped")
    func hiddenFilesAndLinkedFoldersAreSkipped() throws {
        let folder = try TemporaryFolder()
        for name in [
            "in/.hidden.yaml", "in/.\u{301}hidden.yaml", "in/.git/x.yaml", "out/y.yaml",
            "in/z.yaml",
        ] {
            try folder.write("", to: name)
        }
        try folder.link("in/linked", to: "../out")
        try folder.link("in/gone.yaml", to: "../none.yaml")
        #expect(names(["in"], in: folder) == ["in/gone.yaml", "in/z.yaml"])
    }

    @Test("In a volume, links are followed only to its own content")
    func inAVolumeLinksAreFollowedOnlyToItsOwnContent() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "in/..1/mail/a.yaml")
        try folder.write("", to: "out/y.yaml")
        try folder.link("in/..data", to: "..1")
        try folder.link("in/mail", to: "..data/mail")
        try folder.link("in/linked", to: "../out")
        for (name, target) in [("again", "."), ("..1/mail/..data", "."), ("..1/mail/b", ".")] {
            try folder.link("in/" + name, to: target)
        }
        #expect(names(["in"], in: folder) == ["in/mail/a.yaml"])
    }

    @Test("A file whose name is not UTF-8 is found, and reading it reports the problem")
    func fileWhoseNameIsNotUTF8IsFoundAndReadingItReportsTheProblem() throws {
        let folder = try TemporaryFolder()
        let base = Array(folder.path.utf8)
        // "b\u{E4}d" in Latin-1.
        let name: [UInt8] = [0x2F, 0x62, 0xE4, 0x64]
        #expect(unsafe mkdir((base + name + [0]).map(CChar.init(bitPattern:)), 0o700) == 0)
        let file = (base + name + Array(".yaml".utf8) + [0]).map(CChar.init(bitPattern:))
        let descriptor = unsafe creat(file, 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        let found = CampaignSearch([folder.path]).files()
        #expect(found.count == 2)
        for hit in found {
            let error = #expect(throws: InputFileError.self) {
                try CampaignFile.read(hit.path, searched: folder.path)
            }
            #expect(error?.description.contains("is not UTF-8") == true)
        }
    }

    @Test("Names that differ only in Unicode form are different files")
    func namesThatDifferOnlyInUnicodeFormAreDifferentFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write("campaign: x\n", to: "e\u{301}te.yaml")
        let error = #expect(throws: InputFileError.self) {
            try CampaignFile.read(folder.file("\u{E9}te.yaml"))
        }
        let sentence = try #require(error?.description)
        #expect(sentence.contains("different Unicode form"))
        #expect(Array(sentence.unicodeScalars).contains("\u{301}"))
        try folder.write("campaign: x\n", to: "\u{E9}te.yaml")
        #expect(CampaignSearch([folder.path]).files().count == 2)
        #expect(throws: Never.self) { try CampaignFile.read(folder.file("\u{E9}te.yaml")) }
    }

    @Test("The error about an audience file in another Unicode form shows the right name")
    func errorAboutAnAudienceFileInAnotherUnicodeFormShowsTheRight() throws {
        let folder = try TemporaryFolder()
        try folder.write("carol\n", to: "e\u{301}te.txt")
        try folder.write(
            """
            campaign: x
            kind: alert
            platforms: [apns]
            audience:
              usernames: [alice, carol]
              exclude: { files: ["\u{E9}te.txt"], allow_empty: true }
            payload: { message: x }
            """, to: "x.yaml")
        let found = try CampaignFile.read(folder.file("x.yaml")).diagnostics
        #expect(found.map(\.rule) == ["missing-file"])
        #expect(found.first?.help?.text.unicodeScalars.contains("\u{301}") == true)
    }

    @Test("A file is found once, regardless of the spelling of its path")
    func fileIsFoundOnceRegardlessOfTheSpellingOfItsPath() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "in/x.yaml")
        let found = CampaignSearch([
            folder.file("in/x.yaml"), folder.path, folder.file("in/./x.yaml"),
        ]).files()
        #expect(found.map(\.path) == [folder.file("in/x.yaml")])
        #expect(found.first?.isNamed == true)
    }

    @Test("A search returns a missing path, so that reading it gives the reason")
    func searchReturnsAMissingPathSoThatReadingItGivesTheReason() throws {
        let folder = try TemporaryFolder()
        let hit = try #require(CampaignSearch([folder.file("none.yaml")]).files().first)
        #expect(hit.isNamed)
        #expect(hit.path == folder.file("none.yaml"))
    }

    @Test("The current folder is shown in words") func currentFolderIsShownInWords() {
        #expect(CampaignSearch([".", "campaigns"]).shownPaths == "the current folder, campaigns")
    }
}
