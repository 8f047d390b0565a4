import Files
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.bounded) struct FileReplacementTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("report.csv") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private var text: String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test("A file appears only once it is completely written")
    func fileAppearsOnlyOnceItIsCompletelyWritten() throws {
        try folder.write("old", to: "report.csv")
        let file = try FileReplacement(of: path)
        try file.write("new, ".utf8)
        try file.write("and longer".utf8)
        #expect(text == "old")
        try file.commit()
        #expect(text == "new, and longer")
        #expect(try folder.contents() == ["report.csv"])
        #expect(try folder.mode("report.csv") == 0o600)
    }

    @Test("An abandoned replacement leaves nothing behind")
    func abandonedReplacementLeavesNothingBehind() throws {
        var file: FileReplacement? = try FileReplacement(of: path)
        try file?.write("half".utf8)
        file = nil
        #expect(try folder.contents().isEmpty)
    }

    @Test("A new file has the requested mode") func newFileHasTheRequestedMode() throws {
        try FileReplacement.write("x".utf8, to: path, mode: 0o666)
        #expect(try folder.mode("report.csv") == 0o666, "whatever the process's mask")
    }

    @Test("A sole writer removes what a killed writer left behind")
    func soleWriterRemovesWhatAKilledWriterLeftBehind() throws {
        try folder.write("half", to: "report.csv.tmp")
        try FileReplacement.write("whole".utf8, to: path, isOnlyWriter: true)
        #expect(text == "whole")
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test("A link in place of the temporary file is not followed")
    func linkInPlaceOfTheTemporaryFileIsNotFollowed() throws {
        try folder.write("precious", to: "other")
        try folder.link("report.csv.tmp", to: "other")
        try FileReplacement.write("whole".utf8, to: path, isOnlyWriter: true)
        #expect(try String(contentsOfFile: folder.file("other"), encoding: .utf8) == "precious")
    }

    @Test("A file is rewritten line by line") func fileIsRewrittenLineByLine() throws {
        let long = String(repeating: "a", count: 300_000)
        try folder.write("one\n\(long)\n\ntwo", to: "report.csv", mode: 0o644)
        var lines: [Int] = []
        try FileReplacement.rewrite(path) { line in
            lines.append(line.count)
            return line == Array("one\n".utf8) ? [] : line
        }
        #expect(lines == [4, 300_001, 1, 3])
        #expect(text == "\(long)\n\ntwo")
        #expect(try folder.mode("report.csv") == 0o600)
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test("A file with an overlong line is left unchanged")
    func fileWithAnOverlongLineIsLeftUnchanged() throws {
        let long = "one\n" + String(repeating: "a", count: 2 << 20)
        try folder.write(long, to: "report.csv")
        #expect(throws: SystemError(number: EFBIG)) {
            try FileReplacement.rewrite(path) { _ in [] }
        }
        #expect(text == long)
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test("The next writer removes what a killed writer left behind")
    func nextWriterRemovesWhatAKilledWriterLeftBehind() async throws {
        try await OwnProcess.run(endingWith: 128 + SIGKILL, passing: [path]) { values in
            let file = try FileReplacement(of: values[0])
            try file.write("half".utf8)
            kill(getpid(), SIGKILL)
            try file.commit()
        }
        #expect(try folder.contents().count == 1)
        try FileReplacement.write("whole".utf8, to: path)
        #expect(text == "whole")
        #expect(try folder.contents() == ["report.csv"])
    }

    /// Earlier versions used their process ID in the name.
    @Test("Temporary files of earlier versions are removed")
    func temporaryFilesOfEarlierVersionsAreRemoved() throws {
        try folder.write("half", to: "report.csv.12345.tmp")
        try FileReplacement.write("whole".utf8, to: path)
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test("Files in use and unrelated files are kept")
    func filesInUseAndUnrelatedFilesAreKept() throws {
        let others = [
            "other.csv.12345.tmp", "report.csv.12345", "report.csv.20260101.tmp",
            "report.csv.bak.tmp",
            "report.csv.tmp", "report.csv.tmp.12345",
        ]
        for name in others { try folder.write("precious", to: name) }
        try folder.link("report.csv.1.tmp", to: "other")
        let first = try FileReplacement(of: path)
        try first.write("first".utf8)
        try FileReplacement.write("second".utf8, to: path)
        #expect(text == "second")
        try first.commit()
        #expect(text == "first")
        #expect(try folder.contents() == (others + ["report.csv", "report.csv.1.tmp"]).sorted())
    }

    @Test("A full disk produces a distinct error") func fullDiskProducesADistinctError() throws {
        let file = try OpenFile("/dev/full", for: .streaming)
        let error = #expect(throws: SystemError.self) { try file.write("x".utf8) }
        #expect(error?.kind == .diskFull)
        #expect(error?.description == "no space left on device")
    }

    @Test("A missing folder causes an error") func missingFolderCausesAnError() throws {
        let error = #expect(throws: SystemError.self) {
            try FileReplacement(of: folder.file("none/report.csv"))
        }
        #expect(error?.kind == .missing)
    }
}
