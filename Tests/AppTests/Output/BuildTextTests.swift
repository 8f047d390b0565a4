import Foundation
import TestSupport
import Testing

@testable import App

/// What a program says of itself is what is known, and what is not known is said to be unknown.
@Suite(.bounded) struct BuildTextTests {
    private func text(commit: String?, packages: String?) -> String {
        BuildText(
            version: "hubsend 1.2.3", commit: commit, compilers: ["Swift 6.3", "Clang 21"],
            target: "x86_64-linux-gnu", libraries: [BuildText.Library("SQLite", "3.40.1")],
            packages: packages.map { Data($0.utf8) }
        ).text
    }

    @Test func allThatIsKnownIsALineEach() {
        let packages = """
            {"originHash": "0", "version": 3, "pins": [
                {"identity": "swift-nio", "kind": "remoteSourceControl", "location": "https://a.example/swift-nio",
                 "state": {"revision": "f0f0", "version": "2.101.2"}},
                {"identity": "grdb.swift", "kind": "remoteSourceControl", "location": "https://a.example/GRDB.swift",
                 "state": {"branch": "main", "revision": "a60d"}}
            ]}
            """
        #expect(
            text(commit: "39294953", packages: packages) == """
                hubsend 1.2.3
                Commit: 39294953
                Compiler: Swift 6.3, Clang 21
                Target: x86_64-linux-gnu
                Libraries of the system, as they are now:
                  SQLite 3.40.1
                Packages that were built in:
                  grdb.swift a60d
                  swift-nio 2.101.2

                """)
    }

    @Test func whatIsNotKnownIsSaidToBeUnknown() {
        let text = text(commit: nil, packages: nil)
        #expect(text.contains("\nCommit: unknown; the build was not told\n"))
        #expect(text.hasSuffix("\nPackages that were built in: unknown\n"))
    }

    @Test(arguments: ["", "{}", #"{"pins": [{"identity": 1}]}"#])
    func aListThatCannotBeReadIsSaidToBeUnknown(packages: String) {
        let text = text(commit: nil, packages: packages)
        #expect(
            text.hasSuffix(
                "\nPackages that were built in: unknown; the list of them cannot be read\n"))
    }
}
