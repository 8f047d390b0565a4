import CampaignFormat
import Foundation
import TestSupport
import Testing

@testable import App

/// Tests mistakes that people make, each with the whole output of `hubsend validate`.
///
/// Every output was reviewed from the point of view of a campaign's author. With `RECORD_FIXTURES`
/// set, it is rewritten.
@Suite(.bounded) struct MistakeTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../CampaignFormatTests/Fixtures/mistakes").standardizedFileURL
    private static let answer = "expected.txt"
    /// The time of the checks: the end of November 2026.
    private static let day = Date(timeIntervalSince1970: 1_795_910_400)
    /// Files that campaigns use without naming them.
    private static let unnamed = ["hubsend.yaml", "devices.yaml"]

    private static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: corpus.path).sorted()
    }

    @Test("There are at least 300 sample mistakes") func thereAreAtLeast300SampleMistakes() throws {
        #expect(try Self.names().count >= 300)
    }

    @Test("Every sample mistake produces its recorded output", arguments: try names())
    func everySampleMistakeProducesItsRecordedOutput(_ name: String) async throws {
        let source = Self.corpus.appending(path: name)
        let folder = try TemporaryFolder()
        let files = try FileManager.default.subpathsOfDirectory(atPath: source.path).sorted()
        for file in files where file != Self.answer {
            let path = source.appending(path: file)
            guard !path.hasDirectoryPath, let bytes = try Self.bytes(of: path) else { continue }
            try folder.write(bytes, to: file, mode: 0o600)
        }
        let named = files.filter { $0.hasSuffix(".yaml") && !Self.unnamed.contains($0) }
        let check = try await ValidationRun(
            flags: SettingFlags(),
            invocation: Invocation(),
            rules: try RuleChoice(), now: Self.day
        ).check(CampaignSearch(named.map(folder.file)).files())
        let output = TextDiagnosticRenderer().render(check.findings)
            .replacing(folder.path + "/", with: "")
            // The folder's long name in a message is masked, because it looks like a key.
            .replacing(/\/[^ "]*\*{20,}\//, with: "")
        let answer = source.appending(path: Self.answer)
        if ProcessInfo.processInfo.environment["RECORD_FIXTURES"] != nil {
            try output.write(to: answer, atomically: true, encoding: .utf8)
            Issue.record("\(name) was recorded.")
        }
        #expect(try output == String(contentsOf: answer, encoding: .utf8))
        #expect(check.failures.isEmpty)
    }

    /// nil for a folder.
    private static func bytes(of path: URL) throws -> [UInt8]? {
        let kind = try path.resourceValues(forKeys: [.isDirectoryKey])
        return kind.isDirectory == true ? nil : Array(try Data(contentsOf: path))
    }
}
