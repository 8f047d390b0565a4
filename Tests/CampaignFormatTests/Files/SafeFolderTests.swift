import Files
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests which files a campaign can open below its folder, using real files.
@Suite(.bounded) struct SafeFolderTests {
    let temporary: TemporaryFolder

    init() throws {
        temporary = try TemporaryFolder()
        try temporary.write("outside", to: "outside.txt")
        try temporary.write("in", to: "root/in.txt")
        try temporary.write("deep", to: "root/a/b/deep.txt")
        try temporary.write("secret", to: "root/.hidden/secret.txt")
    }

    private func folder(base: String = "root", refused: [String] = []) -> SafeFolder {
        SafeFolder(
            root: temporary.path + "/root", base: temporary.path + "/" + base,
            refused: refused.map { temporary.path + "/" + $0 })
    }

    private func text(_ path: String, in folder: SafeFolder) throws -> String {
        String(decoding: try folder.contents(of: path, limit: 100), as: UTF8.self)
    }

    @Test(
        "Files below the folder are opened",
        arguments: [
            ("in.txt", "in"), ("./in.txt", "in"), ("a//b/./deep.txt", "deep"),
            ("a/../in.txt", "in"),
            ("a/b/../../a/b/deep.txt", "deep"),
        ])
    func filesBelowTheFolderAreOpened(_ path: String, _ expected: String) throws {
        #expect(try text(path, in: folder()) == expected)
    }

    @Test(
        "Paths that are not safely below the folder are refused",
        arguments: [
            ("", FileReferenceError.emptyPath), ("/etc/passwd", .absolute),
            ("../outside.txt", .outside),
            ("a/../../outside.txt", .outside), ("../root/in.txt", .outside),
            (".hidden/secret.txt", .hidden(component: ".hidden")), ("gone.txt", .missing()),
            ("in.txt/x", .missing()), ("a", .folder), ("a/b/", .folder), (".", .folder),
            ("a\u{0}b", .badCharacter), ("in\n.txt", .badCharacter),
        ])
    func pathsThatAreNotSafelyBelowTheFolderAreRefused(
        _ path: String, _ problem: FileReferenceError
    ) {
        #expect(throws: problem) { try folder().open(path) }
    }

    /// In Swift, each of these marks and the slash or dot before it form one character.
    ///
    /// For the system, they are separate characters.
    @Test("A combining mark after the dot does not make a hidden folder visible")
    func combiningMarkAfterTheDotDoesNotMakeAHiddenFolderVisible() throws {
        try temporary.write("a", to: "root/.\u{301}exports/a.csv")
        let folder = ExportFolder(path: temporary.file("root/.\u{301}exports"), isChosen: false)
        let problem = #expect(throws: FileReferenceError.self) {
            try ExportFiles(folder, refused: []).open("a.csv")
        }
        #expect(problem == .hidden(component: ".\u{301}exports"))
    }

    @Test(
        "A combining mark next to a slash does not hide a path component",
        arguments: ["a\u{0D4E}", "a\u{0600}"])
    func combiningMarkNextToASlashDoesNotHideAPathComponent(_ name: String) throws {
        try temporary.write("secret", to: "elsewhere/.ssh/key")
        try temporary.link("root/" + name, to: temporary.file("elsewhere"))
        #expect(throws: FileReferenceError.outside) { try folder().open(name + "/.ssh/key") }
        #expect(throws: FileReferenceError.self) { try folder().open(".\u{0301}hidden") }
    }

    @Test("Paths are relative to the base and may climb up to the root")
    func pathsAreRelativeToTheBaseAndMayClimbUpToTheRoot() throws {
        #expect(try text("deep.txt", in: folder(base: "root/a/b")) == "deep")
        #expect(try text("../../in.txt", in: folder(base: "root/a/b")) == "in")
        #expect(throws: FileReferenceError.outside) {
            try folder(base: "root/a/b").open("../../../outside.txt")
        }
    }

    @Test("A campaign in a hidden folder can name files next to it")
    func campaignInAHiddenFolderCanNameFilesNextToIt() throws {
        #expect(try text("secret.txt", in: folder(base: "root/.hidden")) == "secret")
    }

    @Test("From a base outside the root, no file can be opened")
    func fromABaseOutsideTheRootNoFileCanBeOpened() {
        #expect(throws: FileReferenceError.outside) { try folder(base: ".").open("in.txt") }
    }

    @Test("Links within the folder work") func linksWithinTheFolderWork() throws {
        try temporary.link("root/today.txt", to: "a/b/deep.txt")
        try temporary.link("root/a/up.txt", to: "../in.txt")
        try temporary.link("root/folder", to: "a/b")
        #expect(try text("today.txt", in: folder()) == "deep")
        #expect(try text("a/up.txt", in: folder()) == "in")
        #expect(try text("folder/deep.txt", in: folder()) == "deep")
    }

    @Test("Links out of the folder are refused") func linksOutOfTheFolderAreRefused() throws {
        try temporary.link("root/file", to: "../outside.txt")
        try temporary.link("root/absolute", to: temporary.path + "/root/in.txt")
        try temporary.link("root/up", to: "..")
        try temporary.link("root/hidden", to: ".hidden/secret.txt")
        #expect(throws: FileReferenceError.outside) { try folder().open("file") }
        #expect(throws: FileReferenceError.outside) { try folder().open("absolute") }
        #expect(throws: FileReferenceError.outside) { try folder().open("up/outside.txt") }
        #expect(throws: FileReferenceError.hidden(component: ".hidden")) {
            try folder().open("hidden")
        }
    }

    @Test("A volume's content can be reached only through its links")
    func volumesContentCanBeReachedOnlyThroughItsLinks() throws {
        try temporary.write("people", to: "root/..2026_11_28/people.csv")
        try temporary.write("deep", to: "root/..2026_11_28/sub/deep.csv")
        try temporary.link("root/..data", to: "..2026_11_28")
        for name in ["people.csv", "sub"] {
            try temporary.link("root/" + name, to: "..data/" + name)
        }
        try temporary.link("root/git", to: "..data/../.hidden/secret.txt")
        #expect(try text("people.csv", in: folder()) == "people")
        #expect(try text("sub/deep.csv", in: folder()) == "deep")
        #expect(throws: FileReferenceError.hidden(component: "..data")) {
            try folder().open("..data/people.csv")
        }
        #expect(throws: FileReferenceError.hidden(component: ".hidden")) {
            try folder().open("git")
        }
        #expect(throws: FileReferenceError.refused) {
            try folder(refused: ["root/people.csv"]).open("people.csv")
        }
    }

    @Test("A volume can be read while its content changes")
    func volumeCanBeReadWhileItsContentChanges() async throws {
        let temporary = temporary
        let change = { @Sendable (number: Int) throws in
            try temporary.write("people", to: "root/..\(number)/people.csv")
            try temporary.link("root/..new", to: "..\(number)")
            _ = unsafe rename(temporary.file("root/..new"), temporary.file("root/..data"))
            guard number > 0 else { return }
            try FileManager.default.removeItem(atPath: temporary.file("root/..\(number - 1)"))
        }
        try change(0)
        try temporary.link("root/people.csv", to: "..data/people.csv")
        let folder = folder()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { @concurrent in for number in 1...300 { try change(number) } }
            tasks.addTask { @concurrent in
                for _ in 0..<1_000 {
                    let file = try folder.open("people.csv")
                    #expect(try file.contents(limit: 100) == Array("people".utf8))
                    let named = try NamedFile.open(temporary.file("root/people.csv"))
                    #expect(try named.contents(limit: 100) == Array("people".utf8))
                }
            }
            try await tasks.waitForAll()
        }
    }

    @Test("Circular links are refused") func circularLinksAreRefused() throws {
        try temporary.link("root/one", to: "two")
        try temporary.link("root/two", to: "one")
        #expect(throws: FileReferenceError.tooDeep) { try folder().open("one") }
    }

    @Test("A pipe is refused without waiting for a writer")
    func pipeIsRefusedWithoutWaitingForAWriter() {
        #expect(unsafe mkfifo(temporary.path + "/root/pipe", 0o600) == 0)
        #expect(throws: FileReferenceError.notRegular) { try folder().open("pipe") }
    }

    @Test("Refused files are recognised by identity, not by path")
    func refusedFilesAreRecognisedByIdentityNotByPath() throws {
        try temporary.link("root/alias", to: "in.txt")
        let folder = folder(refused: ["root/in.txt", "root/a", "root/not-there"])
        #expect(throws: FileReferenceError.refused) { try folder.open("in.txt") }
        #expect(throws: FileReferenceError.refused) { try folder.open("alias") }
        #expect(throws: FileReferenceError.refused) { try folder.open("a/b/deep.txt") }
    }

    @Test("A file over the limit is not read to its end")
    func fileOverTheLimitIsNotReadToItsEnd() throws {
        try temporary.write(String(repeating: "x", count: 101), to: "root/large.txt")
        #expect(throws: FileReferenceError.tooLarge(limit: 100)) {
            try folder().contents(of: "large.txt", limit: 100)
        }
        try temporary.write(String(repeating: "x", count: 100), to: "root/large.txt")
        #expect(try text("large.txt", in: folder()).count == 100)
    }

    @Test("A very long path is refused") func veryLongPathIsRefused() {
        let path = String(repeating: "a/", count: 600) + "x"
        #expect(throws: FileReferenceError.tooDeep) { try folder().open(path) }
    }
}
