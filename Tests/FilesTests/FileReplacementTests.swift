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

    @Test func nothingIsInItsPlaceBeforeAllIsWritten() throws {
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

    @Test func whatIsGivenUpLeavesNothing() throws {
        var file: FileReplacement? = try FileReplacement(of: path)
        try file?.write("half".utf8)
        file = nil
        #expect(try folder.contents().isEmpty)
    }

    @Test func theModeIsTheOneThatWasAskedFor() throws {
        try FileReplacement.write("x".utf8, to: path, mode: 0o666)
        #expect(try folder.mode("report.csv") == 0o666, "whatever the process's mask")
    }

    @Test func theOnlyWriterRemovesWhatAKilledOneLeft() throws {
        try folder.write("half", to: "report.csv.tmp")
        try FileReplacement.write("whole".utf8, to: path, isOnlyWriter: true)
        #expect(text == "whole")
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test func aLinkInThePlaceOfTheDraftIsNotFollowed() throws {
        try folder.write("precious", to: "other")
        try folder.link("report.csv.tmp", to: "other")
        try FileReplacement.write("whole".utf8, to: path, isOnlyWriter: true)
        #expect(try String(contentsOfFile: folder.file("other"), encoding: .utf8) == "precious")
    }

    @Test func aFileIsWrittenAnewALineAtATime() throws {
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

    @Test func aFileWithALineThatDoesNotFitStaysAsItIs() throws {
        let long = "one\n" + String(repeating: "a", count: 2 << 20)
        try folder.write(long, to: "report.csv")
        #expect(throws: SystemFault(number: EFBIG)) {
            try FileReplacement.rewrite(path) { _ in [] }
        }
        #expect(text == long)
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test func whatAKilledWriterLeftIsRemovedByTheNext() async throws {
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

    /// They called them by the number of their process.
    @Test func whatEarlierVersionsLeftIsRemovedToo() throws {
        try folder.write("half", to: "report.csv.12345.tmp")
        try FileReplacement.write("whole".utf8, to: path)
        #expect(try folder.contents() == ["report.csv"])
    }

    @Test func whatALivingWriterHasAndWhatIsNoDraftOfItStays() throws {
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

    @Test func aFullDiskIsAFaultOfItsKind() throws {
        let file = try OpenFile("/dev/full", for: .streaming)
        let fault = #expect(throws: SystemFault.self) { try file.write("x".utf8) }
        #expect(fault?.kind == .diskFull)
        #expect(fault?.description == "no space left on device")
    }

    @Test func aMissingFolderIsAFault() throws {
        let fault = #expect(throws: SystemFault.self) {
            try FileReplacement(of: folder.file("none/report.csv"))
        }
        #expect(fault?.kind == .missing)
    }
}
