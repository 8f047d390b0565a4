import Foundation
import TestSupport
import Testing

/// SECURITY.md names a test for each promise; each of them exists.
@Suite(.bounded) struct SecurityPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func everyTestThatIsNamedIsThere() throws {
        // A suite is in a file with its name, and so are its aspects.
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

    /// The rest of a table's last column is words, which prove nothing.
    @Test func whatNoTestShowsIsSaidToBeSo() throws {
        let rows = try text("SECURITY.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") && !$0.contains("Shown by") && !$0.contains("---") }
        #expect(rows.count >= 50)
        for row in rows where !row.contains(/`\w+Tests\.\w+`/) {
            #expect(row.contains("not done") || row.contains("not shown by a test"), "\(row)")
        }
    }
}
