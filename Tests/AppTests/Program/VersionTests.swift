import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct VersionTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    @Test(
        "--version prints a single line",
        arguments: [["hubsend", "--version"], ["hubsend", "run", "--version"]])
    func versionPrintsASingleLine(arguments: [String]) {
        #expect(VersionText.text(askedBy: arguments) == "hubsend \(Hubsend.version)\n")
    }

    @Test(
        "--version --verbose says what hubsend was built from",
        arguments: [
            ["hubsend", "--version", "--verbose"], ["hubsend", "-v", "--version"],
        ])
    func versionVerboseSaysWhatHubsendWasBuiltFrom(arguments: [String]) throws {
        let text = VersionText.text(askedBy: arguments)
        #expect(text.hasPrefix("hubsend \(Hubsend.version)\nCommit: "))
        #expect(text.contains("\nCompiler: Swift 6."))
        #expect(text.contains(/\n  libyaml 0\.\d+\.\d+\n  SQLite 3\.\d+\.\d+\n  libpq \d\d\.\d+\n/))
        let manifest = try String(
            contentsOf: Self.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let packages = manifest.matches(of: /\.package\(url: "[^"]*\/([^\/"]+)"/)
        #expect(packages.count > 10)
        for package in packages {
            #expect(text.contains("\n  \(package.1.lowercased()) "), "\(package.1)")
        }
    }

    /// If there are other arguments besides `--version`, the argument parser handles them.
    @Test("The program prints its version on stdout")
    func programPrintsItsVersionOnStdout() async throws {
        let asked = try await Binary.run(["--version", "--verbose"], in: Workspace(), status: 0)
        #expect(asked.complaints.isEmpty)
        #expect(asked.output == VersionText.text(askedBy: ["--verbose"]))
    }

    private func text(commit: String?, packages: String?) -> String {
        VersionText.details(
            commit: commit, compilers: ["Swift 6.3", "Clang 21"], target: "x86_64-linux-gnu",
            libraries: [("SQLite", "3.40.1")], packages: packages.map { Data($0.utf8) })
    }

    @Test("Each build detail is one line") func eachBuildDetailIsOneLine() {
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
                Commit: 39294953
                Compiler: Swift 6.3, Clang 21
                Target: x86_64-linux-gnu
                System libraries in use:
                  SQLite 3.40.1
                Packages built in:
                  grdb.swift a60d
                  swift-nio 2.101.2

                """)
    }

    @Test("Missing build details are shown as unknown")
    func missingBuildDetailsAreShownAsUnknown() {
        let text = text(commit: nil, packages: nil)
        #expect(text.hasPrefix("Commit: unknown; it was not set in the build\n"))
        #expect(text.hasSuffix("\nPackages built in: unknown\n"))
    }

    @Test(
        "An unreadable package list is shown as unknown",
        arguments: ["", "{}", #"{"pins": [{"identity": 1}]}"#])
    func unreadablePackageListIsShownAsUnknown(packages: String) {
        let text = text(commit: nil, packages: packages)
        #expect(
            text.hasSuffix(
                "\nPackages built in: unknown; the list cannot be read\n"))
    }
}
