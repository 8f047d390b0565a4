import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct ReadmeTests {
    private static let readme = URL(fileURLWithPath: #filePath)
        .appending(path: "../../../../README.md").standardizedFileURL

    /// Compares the first `console` block with the output, ignoring empty lines.
    ///
    /// With `RECORD_FIXTURES=1`, the output is written into the README.
    @Test("The README shows what its commands print")
    func readmeShowsWhatItsCommandsPrint() async throws {
        let readme = try String(contentsOf: Self.readme, encoding: .utf8)
        let start = try #require(readme.firstRange(of: "```console\n")).upperBound
        let end = try #require(readme[start...].firstRange(of: "```")).lowerBound
        let shown = readme[start..<end]

        let workspace = try Workspace()
        var printed = ""
        for part in shown.split(separator: "$ ") {
            let lines = part.split(separator: "\n")
            let terminal = try PseudoTerminal()
            let result = try await Binary.start(
                lines[0].split(separator: " ").dropFirst().map(String.init), on: terminal,
                in: workspace, environment: ["NO_COLOR": "1"]
            ).end(0)
            let output = Self.final(result.output + terminal.text).split(separator: "\n")
            printed += "$ \(lines[0])\n"
            // A line with three dots omits the rest of the output.
            printed += (lines.last == "..." ? output.prefix(lines.count - 2) + ["..."] : output)
                .map { "\($0)\n" }.joined()
        }
        printed = Self.withoutVariations(printed.replacing(workspace.path, with: "/srv/push"))
        if ProcessInfo.processInfo.environment["RECORD_FIXTURES"] != nil {
            try readme.replacingCharacters(in: start..<end, with: printed)
                .write(to: Self.readme, atomically: true, encoding: .utf8)
        }
        #expect(String(shown) == printed)
    }

    /// The text that is finally on a terminal, without the progress shown before.
    private static func final(_ text: String) -> String {
        text.replacing("\r\n", with: "\n").replacing(/[^\n]*\r/, with: "")
            .replacing("\u{1B}[2K", with: "")
    }

    /// Replaces everything that differs from run to run with examples.
    private static func withoutVariations(_ text: String) -> String {
        text.replacing(/\d{8}T\d{6}Z-[a-z2-7]{6}/, with: "20261121T090000Z-hosy66")
            .replacing(/(started by  ).+/) { "\($0.1)ann on push-1" }
            .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "2026-11-21 09:00:00")
            .replacing(/(duration +)\S+/) { "\($0.1)0.1s" }
    }
}
