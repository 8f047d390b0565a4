import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test("Every stop of the tours in CONTRIBUTING.md exists")
    func everyStopOfTheToursInCONTRIBUTINGMdExists() throws {
        let page = try text("CONTRIBUTING.md")
        let stops = page.matches(of: /`(Sources\/[^`]+\.swift)` `(\w+)(\(\))?`/)
        #expect(stops.count >= 40)
        #expect(stops.count == page.matches(of: /`Sources\/[^`]+\.swift`/).count)
        for stop in stops {
            let word =
                stop.3 == nil ? " \(stop.2)" : stop.2 == "init" ? " init" : " func \(stop.2)"
            #expect(try text(String(stop.1)).contains(word), "\(stop.0)")
        }
    }

    @Test("CONTRIBUTING.md says what each package is for")
    func contributingMdSaysWhatEachPackageIsFor() throws {
        let page = try text("CONTRIBUTING.md")
        let packages = try text("Package.swift").matches(
            of: /\.package\(url: "[^"]*\/([^\/"]+)"/)
        #expect(packages.count > 10)
        for package in packages {
            #expect(
                page.contains("\n| \(package.1)") || page.contains(", \(package.1)"), "\(package.1)"
            )
        }
    }

    @Test("Every test that SECURITY.md names exists")
    func everyTestThatSECURITYMdNamesExists() throws {
        // Each suite is in a file with the suite's name; files with its extensions add a suffix.
        let tests = Self.root.appendingPathComponent("Tests").path
        let files = try FileManager.default.subpathsOfDirectory(atPath: tests)
            .filter { $0.hasSuffix(".swift") }
        let bySuite = Dictionary(grouping: files) { file in
            file.prefix { $0 != "." && $0 != "+" }.split(separator: "/").last.map(String.init) ?? ""
        }
        let named = try text("SECURITY.md").matches(of: /`(\w+Tests)\.(\w+)`/)
        #expect(named.count >= 120)
        for name in named {
            let texts = try (bySuite[String(name.1)] ?? []).map { try text("Tests/\($0)") }
            #expect(texts.contains { $0.contains("func \(name.2)(") }, "\(name.0)")
        }
    }

    @Test("Every command in hubsend-security(7) is valid")
    func everyCommandInHubsendSecurity7IsValid() async throws {
        let commands = try text("man/hubsend-security.7").split(separator: "\n").compactMap {
            $0.wholeMatch(of: /(?:\.Ql |[A-Z_]+=\S+ )?hubsend (.+?)(?: [,;.])?/)?.1
        }
        #expect(commands.count >= 25)
        for command in commands {
            let words = command.split(separator: " ").map {
                $0 == "RUN" ? "20261201T090000Z-k3v7qa" : String($0)
            }
            await #expect(throws: Never.self, "hubsend \(command)") {
                _ = try await Hubsend.asyncParseAsRoot(words)
            }
        }
    }

    @Test("hubsend(1) names every other manual page")
    func hubsend1NamesEveryOtherManualPage() throws {
        let pages = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appendingPathComponent("man").path)
        let first = try text("man/hubsend.1")
        let further = try #require(first.range(of: ".Sh SEE ALSO"))
        for page in pages where page != "hubsend.1" {
            let name = page.replacing(".", with: " ")
            #expect(first[further.upperBound...].contains(".Xr \(name)"), "\(page)")
        }
    }
}
