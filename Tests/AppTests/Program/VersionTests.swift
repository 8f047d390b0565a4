import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct VersionTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    @Test(arguments: [["hubsend", "--version"], ["hubsend", "run", "--version"]])
    func theVersionAloneIsALine(arguments: [String]) {
        #expect(VersionText.text(askedBy: arguments) == "hubsend \(Hubsend.version)\n")
    }

    @Test(arguments: [
        ["hubsend", "--version", "--verbose"], ["hubsend", "-v", "--version"],
    ])
    func whatItWasBuiltOfIsSaidToWhoAsks(arguments: [String]) throws {
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

    /// The argument parser itself handles whatever accompanies `--version`.
    @Test func theProgramPrintsItOnStandardOutput() async throws {
        let asked = try await Binary.run(["--version", "--verbose"], in: Workspace())
        #expect(asked.status == 0)
        #expect(asked.complaints.isEmpty)
        #expect(asked.output == VersionText.text(askedBy: ["--verbose"]))
    }
}
