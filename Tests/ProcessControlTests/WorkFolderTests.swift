import Foundation
import Logging
import TestSupport
import Testing

@testable import ProcessControl

@Suite(.bounded) struct WorkFolderTests {
    private static let prefix = "hubsend-exec-"

    private static func folder(in parent: TemporaryFolder) throws -> WorkFolder {
        try WorkFolder(in: parent.path, prefix: prefix)
    }

    private static func sweep(_ parent: TemporaryFolder) {
        WorkFolder.removeRemnants(
            in: parent.path, prefix: prefix,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test("Only unlocked leftover folders are removed")
    func onlyUnlockedLeftoverFoldersAreRemoved() throws {
        let parent = try TemporaryFolder()
        let used = try Self.folder(in: parent)
        try used.makeFolder("kept")
        try parent.write("x", to: "hubsend-exec-AAAAAA/store.sqlite")
        try parent.write("x", to: "hubsend-exec-AAAAA/kept")
        try parent.write("x", to: "hubsend-exec-AAAA.A/kept")
        try parent.write("x", to: "hubsend-exec-BBBBBB")
        try parent.write("x", to: "elsewhere/kept")
        try parent.link("hubsend-exec-CCCCCC", to: parent.file("elsewhere"))
        let before = try parent.contents()
        Self.sweep(parent)
        #expect(try parent.contents() == before.filter { $0 != "hubsend-exec-AAAAAA" })
        #expect(FileManager.default.fileExists(atPath: parent.file("elsewhere/kept")))
        #expect(FileManager.default.fileExists(atPath: used.file("kept")))
        try used.remove()
        #expect(!FileManager.default.fileExists(atPath: used.path))
    }

    @Test("Files in a work folder are readable only by their owner")
    func filesInAWorkFolderAreReadableOnlyByTheirOwner() throws {
        let parent = try TemporaryFolder()
        let folder = try Self.folder(in: parent)
        try folder.write("text", to: "ca.pem")
        #expect(try String(contentsOfFile: folder.file("ca.pem"), encoding: .utf8) == "text")
        let name = try #require(try parent.contents().first)
        #expect(try parent.mode("\(name)/ca.pem") == 0o600)
        #expect(try parent.mode(name) == 0o700)
        #expect(throws: WorkFolder.Failure.self) { try folder.write("text", to: "none/ca.pem") }
    }

    @Test("If no work folder can be created, the message mentions TMPDIR")
    func ifNoWorkFolderCanBeCreatedTheMessageMentionsTMPDIR() throws {
        let parent = try TemporaryFolder()
        let error = #expect(throws: WorkFolder.Failure.self) {
            try WorkFolder(in: parent.file("none"), prefix: Self.prefix)
        }
        #expect(error?.description.contains(parent.file("none")) == true)
        #expect(error?.description.contains("TMPDIR") == true)
    }

    @Test("A concurrent cleanup never removes a folder in use")
    func concurrentCleanupNeverRemovesAFolderInUse() async throws {
        let parent = try TemporaryFolder()
        let folders = try await withThrowingTaskGroup(of: WorkFolder.self) { tasks in
            for _ in 0..<40 {
                tasks.addTask { try Self.folder(in: parent) }
                tasks.addTask {
                    Self.sweep(parent)
                    return try Self.folder(in: parent)
                }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(folders.map(\.path)).count == 80)
        for folder in folders {
            #expect(FileManager.default.fileExists(atPath: folder.path))
        }
    }
}
