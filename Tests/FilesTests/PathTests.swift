import Files
import TestSupport
import Testing

@Suite(.bounded) struct PathTests {
    @Test(
        "The folder of a file is found",
        arguments: [
            ("a", "."), ("a/b", "a"), ("/a", "/"), ("/", "/"), ("/a/b", "/a"), ("./a", "."),
            ("..", "."), (".", "."), ("a/b/c", "a/b"), ("", "."),
            ("a/b/", "a"), ("a//b", "a"), ("//a", "/"), ("/ä/é", "/ä"), ("é", "."),
        ])
    func folderOfAFileIsFound(path: String, folder: String) {
        #expect(Path.folder(of: path) == folder)
    }

    @Test(
        "A folder and a file name are joined into a short path",
        arguments: [
            ("x", ".", "x"), ("x", "/", "/x"), ("x", "a", "a/x"), ("x", "/a/b", "/a/b/x"),
            ("x", "a/", "a/x"), ("b/x", "a", "a/b/x"),
        ])
    func folderAndAFileNameAreJoinedIntoAShortPath(name: String, folder: String, path: String) {
        #expect(Path.file(name, in: folder) == path)
    }

    @Test(
        "A path is normalised",
        arguments: [
            ("/a/./b", "/a/b"), ("/a//b/", "/a/b"), ("/a/../b", "/b"), ("/../b", "/b"), ("/", "/"),
            ("/.", "/"), ("/a/b/../../..", "/"), ("//a", "/a"), ("/...", "/..."),
            ("/a/\u{301}b/../c", "/a/c"), ("/a\u{D4E}/../b", "/b"), ("/.\u{301}", "/.\u{301}"),
        ])
    func pathIsNormalised(path: String, cleaned: String) {
        #expect(Path.cleaned(path) == cleaned)
    }

    @Test(
        "The last component of a path is found",
        arguments: [
            ("/a/b", "b"), ("a//", "a"), ("a", "a"), ("/", nil), ("", nil),
            ("/a/\u{301}b", "\u{301}b"), ("/a\u{D4E}/", "a\u{D4E}"), ("a\u{600}/b", "b"),
        ] as [(String, String?)])
    func lastComponentOfAPathIsFound(path: String, name: String?) {
        #expect(Path.name(of: path) == name)
        #expect(Path.steps(of: path).last == name)
    }

    @Test(
        "A path is in a folder only if a slash follows the folder",
        arguments: [
            ("/a/b", "/a", "b"), ("/a/b", "/a/", "b"), ("/a/b", "/", "a/b"), ("/ab", "/a", nil),
            ("/a", "/a", nil), ("/a/\u{301}b", "/a", "\u{301}b"), ("/a\u{D4E}/b", "/a\u{D4E}", "b"),
        ] as [(String, String, String?)])
    func pathIsInAFolderOnlyIfASlashFollowsTheFolder(path: String, folder: String, inner: String?) {
        #expect(Path.relative(path, to: folder) == inner)
    }

    @Test("A combining mark hides neither a dot nor a slash")
    func combiningMarkHidesNeitherADotNorASlash() {
        #expect(Path.isHidden(".\u{301}a"))
        #expect(Path.isAbsolute("/\u{301}a"))
        #expect(Path.file("x", in: "a\u{D4E}/") == "a\u{D4E}/x")
    }

    @Test("Links in the part of a path that exists are resolved")
    func linksInThePartOfAPathThatExistsAreResolved() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real/file")
        try folder.link("link", to: "real")
        #expect(Path.resolved(folder.file("link/file")) == folder.file("real/file"))
        #expect(Path.resolved(folder.file("link/none/x")) == folder.file("real/none/x"))
        #expect(Path.resolved(folder.file("link/\u{301}x")) == folder.file("real/\u{301}x"))
        #expect(try Path.real(folder.file("link")) == folder.file("real"))
        let error = #expect(throws: SystemError.self) { try Path.real(folder.file("none")) }
        #expect(error?.kind == .missing)
    }
}
