import Files
import TestSupport
import Testing

/// Paths as texts.
@Suite(.bounded) struct PathTests {
    @Test(arguments: [
        ("a", "."), ("a/b", "a"), ("/a", "/"), ("/", "/"), ("/a/b", "/a"), ("./a", "."),
        ("..", "."), (".", "."), ("a/b/c", "a/b"), ("", "."),
        ("a/b/", "a"), ("a//b", "a"), ("//a", "/"), ("/ä/é", "/ä"), ("é", "."),
    ])
    func aFileHasAFolder(path: String, folder: String) {
        #expect(Path.folder(of: path) == folder)
    }

    @Test(arguments: [
        ("x", ".", "x"), ("x", "/", "/x"), ("x", "a", "a/x"), ("x", "/a/b", "/a/b/x"),
        ("x", "a/", "a/x"), ("b/x", "a", "a/b/x"),
    ])
    func aFileIsNamedAsAPersonWould(name: String, folder: String, path: String) {
        #expect(Path.file(name, in: folder) == path)
    }

    @Test(arguments: [
        ("/a/./b", "/a/b"), ("/a//b/", "/a/b"), ("/a/../b", "/b"), ("/../b", "/b"), ("/", "/"),
        ("/.", "/"), ("/a/b/../../..", "/"),
    ])
    func aPathIsCleaned(path: String, cleaned: String) {
        #expect(Path.cleaned(path) == cleaned)
    }

    @Test func linksAreResolvedAsFarAsThePathExists() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real/file")
        try folder.link("link", to: "real")
        #expect(Path.resolved(folder.file("link/file")) == folder.file("real/file"))
        #expect(Path.resolved(folder.file("link/none/x")) == folder.file("real/none/x"))
        #expect(try Path.real(folder.file("link")) == folder.file("real"))
        let fault = #expect(throws: SystemFault.self) { try Path.real(folder.file("none")) }
        #expect(fault?.kind == .missing)
    }
}
