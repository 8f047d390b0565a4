import TestSupport
import Testing

@testable import CampaignFormat

/// Campaign files are found below folders, each once.
@Suite(.bounded) struct CampaignSearchTests {
    private func names(_ paths: [String], in folder: TemporaryFolder) -> [String] {
        CampaignSearch(paths.map(folder.file)).files().map {
            String($0.path.dropFirst(folder.path.count + 1))
        }
    }

    @Test func filesAreFoundInOrderWhateverTheCaseOfTheirEnding() throws {
        let folder = try TemporaryFolder()
        for name in ["b.yml", "a/Z.YAML", "a/deep/x.yaml", "notes.txt", "c.yaml.bak"] {
            try folder.write("", to: "in/" + name)
        }
        #expect(names(["in"], in: folder) == ["in/a/Z.YAML", "in/a/deep/x.yaml", "in/b.yml"])
    }

    @Test func hiddenOnesAndLinkedFoldersArePassedOver() throws {
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

    @Test func aFileIsFoundOnceHoweverItIsSpelled() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "in/x.yaml")
        let found = CampaignSearch([
            folder.file("in/x.yaml"), folder.path, folder.file("in/./x.yaml"),
        ]).files()
        #expect(found.map(\.path) == [folder.file("in/x.yaml")])
        #expect(found.first?.isNamed == true)
    }

    @Test func whatIsNotThereIsAHitSoThatReadingSaysWhy() throws {
        let folder = try TemporaryFolder()
        let hit = try #require(CampaignSearch([folder.file("none.yaml")]).files().first)
        #expect(hit.isNamed)
        #expect(hit.path == folder.file("none.yaml"))
    }

    @Test func theCurrentFolderIsSaidInWords() {
        #expect(CampaignSearch([".", "campaigns"]).shownPaths == "the current folder, campaigns")
    }
}
