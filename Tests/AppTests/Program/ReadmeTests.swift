import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    @Test("The summary in README is the one that its first command prints")
    func theSummaryIsTheOneThatIsPrinted() async throws {
        let readme = try String(
            contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        let start = try #require(readme.firstRange(of: "\nwelcome: finished")).lowerBound
        let shown = try #require(readme[start...].split(separator: "\n```").first)

        let workspace = try Workspace()
        try workspace.write("", to: "campaigns/.keep")
        // Without the store that an earlier manual run has left there.
        for name in ["hubsend.yaml", "devices.yaml", "welcome.yaml", "images"] {
            try FileManager.default.copyItem(
                atPath: Self.root.appending(path: "campaigns/\(name)").path,
                toPath: workspace.file("campaigns/\(name)"))
        }
        let terminal = try PseudoTerminal()
        try await Binary.start(
            ["run", "campaigns/welcome.yaml"], on: terminal, in: workspace,
            environment: ["NO_COLOR": "1"]
        ).end(0)
        let text = terminal.text.replacing("\r\n", with: "\n")
        let printed = text[try #require(text.firstRange(of: "welcome: finished")).lowerBound...]
        #expect(
            Self.lines(of: String(printed).replacing(workspace.path, with: "/srv/app"))
                == Self.lines(of: String(shown)))
    }

    /// The lines without parts that vary.
    private static func lines(of text: String) -> [String] {
        text.replacing(/\d{8}T\d{6}Z-[a-z2-7]{6}/, with: "RUN")
            .replacing(/started by  .+ on .+/, with: "started by  USER on HOST")
            .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, with: "TIME")
            .replacing(/took +\S+/, with: "took").split(separator: "\n").map(String.init)
    }
}
