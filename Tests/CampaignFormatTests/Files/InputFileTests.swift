import Glibc
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct InputFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(
        "The error about a pattern without matches differs from that about a path",
        arguments: ["campaigns/*.yml", "a?.yaml", "[ab].yaml"])
    func errorAboutAPatternWithoutMatchesDiffersFromThatAboutAPath(path: String) {
        let error = #expect(throws: InputFileError.self) { try InputFile.read(path) }
        #expect(
            error?.description
                == "There is no file \"\(path)\": no name matches the pattern; check the pattern, or list the files."
        )
    }

    @Test("The error about a missing file names it") func errorAboutAMissingFileNamesIt() {
        let path = folder.path + "/gone.yaml"
        let error = #expect(throws: InputFileError.self) { try CampaignFile.read(path) }
        #expect(error == .missing(path: path))
        #expect(error?.description == "There is no file \"\(path)\"; check the path.")
    }

    @Test("A folder in place of a file is refused") func folderInPlaceOfAFileIsRefused() {
        #expect(throws: InputFileError.folder(path: folder.path)) {
            try CampaignFile.read(folder.path)
        }
    }

    @Test("A pipe is refused without waiting for a writer")
    func pipeIsRefusedWithoutWaitingForAWriter() {
        let path = folder.path + "/pipe.yaml"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        #expect(throws: InputFileError.notRegular(path: path)) { try CampaignFile.read(path) }
    }

    @Test("An invalid byte is reported with its position")
    func invalidByteIsReportedWithItsPosition() throws {
        let text = Array("campaign: spring\nkind: sec\0ure\n".utf8)
        let path = try folder.write(text, to: "spring.yaml")
        for loaded in [try CampaignFile.read(path), CampaignFile.read(standardInput: text)] {
            #expect(loaded.diagnostics.map(\.rule) == ["invalid-character"])
            #expect(loaded.diagnostics.first?.range.line == 2)
            #expect(loaded.diagnostics.first?.range.column == 10)
        }
    }

    @Test("A file of 200 MB is refused without being read")
    func fileOf200MBIsRefusedWithoutBeingRead() throws {
        let path = try folder.write("campaign: x\n", to: "large.yaml")
        #expect(unsafe truncate(path, 200_000_000) == 0)
        let loaded = try CampaignFile.read(path)
        #expect(loaded.diagnostics.map(\.rule) == ["too-large"])
        #expect(loaded.diagnostics[0].message.text.contains("200,000,000"))
    }

    @Test("A file with a very large number of open brackets is refused")
    func fileWithAVeryLargeNumberOfOpenBracketsIsRefused() throws {
        let loaded = try folder.load(String(repeating: "[", count: 100_000))
        #expect(loaded.diagnostics.map(\.rule) == ["too-deep"])
        #expect(loaded.campaign == nil)
    }

    @Test("Beyond a limit, unknown keys are only counted")
    func beyondALimitUnknownKeysAreOnlyCounted() throws {
        // Four times the number of findings that are recorded.
        let keys = (0..<2_000).map { "kindd\($0): 1" }.joined(separator: "\n")
        let loaded = try folder.load(keys)
        #expect(loaded.diagnostics.count == 501)
        #expect(loaded.diagnostics.last?.message.text.contains("more findings") == true)
    }

    @Test("A very long value is shortened in the message")
    func veryLongValueIsShortenedInTheMessage() throws {
        let long = String(repeating: "k", count: 100_000)
        let key = long.prefix(500)
        let loaded = try folder.load(
            TemporaryFolder.campaign(
                kind: "kind: \(long)", platforms: "[\(long)]", audience: "files: [\(long)]",
                payload: "text: \(long)", rest: "\(key): \(long)\ndelivery: { rate: \(long) }"))
        #expect(Set(loaded.diagnostics.map(\.rule)).isSuperset(of: ["unknown-value", "too-large"]))
        #expect(TextDiagnosticRenderer().render(loaded.diagnostics).count < 20_000)
    }

    @Test("Paths of standard input are relative to the current folder")
    func pathsOfStandardInputAreRelativeToTheCurrentFolder() throws {
        let bytes = Array(TemporaryFolder.campaign(payload: "txt: x").utf8)
        let loaded = CampaignFile.read(standardInput: bytes)
        #expect(loaded.path == "-")
        #expect(loaded.diagnostics.contains { $0.file == "-" && $0.rule == "unknown-key" })
    }

    @Test("A control character in a path is escaped") func controlCharacterInAPathIsEscaped() {
        let error = InputFileError.missing(path: "a\u{1B}[31m.yaml")
        #expect(error.description == #"There is no file "a\u{1B}[31m.yaml"; check the path."#)
    }
}
