import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

/// The commands in hubsend-security(7) exist; in an incident there is no time to correct them.
@Suite(.bounded) struct SecurityManualTests {
    private static let manuals = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../man").standardizedFileURL

    private func text(_ page: String) throws -> String {
        try String(contentsOf: Self.manuals.appendingPathComponent(page), encoding: .utf8)
    }

    /// The commands on lines of their own and those quoted in a sentence.
    private func commands() throws -> [[String]] {
        try text("hubsend-security.7").split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: /(?:\.Ql |[A-Z_]+=\S+ )?hubsend (.+?)(?: [,;.])?/)
            else { return nil }
            return match.1.split(separator: " ").map {
                $0 == "RUN" ? "20261201T090000Z-k3v7qa" : String($0)
            }
        }
    }

    @Test func everyCommandOfThePageIsTakenAsItStands() async throws {
        let commands = try commands()
        #expect(commands.count >= 25)
        for command in commands {
            await #expect(throws: Never.self, "hubsend \(command.joined(separator: " "))") {
                _ = try await Hubsend.asyncParseAsRoot(command)
            }
        }
    }

    @Test func everyPageIsNamedByTheFirst() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.manuals.path)
        let first = try text("hubsend.1")
        let further = try #require(first.range(of: ".Sh SEE ALSO"))
        for page in pages where page != "hubsend.1" {
            let name = page.replacing(".", with: " ")
            #expect(first[further.upperBound...].contains(".Xr \(name)"), "\(page)")
        }
    }
}
