import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct StateFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("hub.json") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private var state: SavedState {
        SavedState(hubs: [
            SavedState.Hub(
                name: "h", description: HubDescription(created: HubUnderTest.now),
                registrations: [], installations: [:], scheduled: [])
        ])
    }

    @Test("A written state can be read back") func writtenStateCanBeReadBack() throws {
        let file = try StateFile(path: path)
        #expect(try file.read() == nil)
        try file.write(state)
        #expect(try file.read() == state)
        #expect(try folder.mode("hub.json") == 0o600)
        #expect(try folder.contents() == ["hub.json", "hub.json.lock"])
    }

    @Test("A write replaces the files left behind by a killed hub")
    func writeReplacesTheFilesLeftBehindByAKilledHub() throws {
        try folder.write("{\"half", to: "hub.json.tmp")
        let file = try StateFile(path: path)
        try file.write(state)
        #expect(try file.read() == state)
        #expect(try folder.contents() == ["hub.json", "hub.json.lock"])
    }

    @Test("A failed write keeps the old state") func failedWriteKeepsTheOldState() throws {
        let file = try StateFile(path: path)
        try file.write(state)
        // A folder at the path of the temporary file prevents even root from writing it.
        try folder.write("", to: "hub.json.tmp/in-the-way")
        let expected = LocalHubError.stateFileNotWritten(path, reason: "is a directory")
        #expect(throws: expected) { try file.write(SavedState(hubs: [])) }
        #expect(try file.read() == state)
    }

    @Test("A second hub cannot use the file until the first has stopped")
    func secondHubCannotUseTheFileUntilTheFirstHasStopped() throws {
        var first: StateFile? = try StateFile(path: path)
        #expect(first != nil)
        #expect(throws: LocalHubError.stateFileInUse(path)) { try StateFile(path: path) }
        first = nil
        _ = try StateFile(path: path)
    }

    @Test(
        "A damaged or foreign file is refused and left unchanged",
        arguments: [
            "{", "[]", "null", #"{"some":"thing"}"#, #"{"head":{"format":"other","version":1}}"#,
            #"{"head":{"format":"hubsend local hub state","version":1}}"#,
            #"{"head":{"format":"hubsend local hub state","version":1},"hubs":[{"name":1}]}"#,
        ])
    func damagedOrForeignFileIsRefusedAndLeftUnchanged(content: String) throws {
        try folder.write(content, to: "hub.json")
        var configuration = LocalHubConfiguration()
        configuration.stateFile = path
        let error = #expect(throws: LocalHubError.self) {
            try LocalHubServer(configuration: configuration, logger: HubUnderTest.quiet)
        }
        let sentence = try #require(error).description
        #expect(sentence.contains(path) && sentence.contains("left unchanged"), "\(sentence)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test("The error says where the file is damaged") func errorSaysWhereTheFileIsDamaged() throws {
        let content =
            #"{"head":{"format":"hubsend local hub state","version":1},"hubs":[{"name":"secret"}]}"#
        try folder.write(content, to: "hub.json")
        let file = try StateFile(path: path)
        let expected = LocalHubError.stateFileDamaged(
            path, reason: "hubs[0].description cannot be read")
        #expect(throws: expected) { try file.read() }
    }

    @Test("A state file from a newer version is refused and left unchanged")
    func stateFileFromANewerVersionIsRefusedAndLeftUnchanged() throws {
        let content = #"{"head":{"format":"hubsend local hub state","version":2},"tomorrow":true}"#
        try folder.write(content, to: "hub.json")
        let file = try StateFile(path: path)
        #expect(throws: LocalHubError.stateFileNewer(path, version: 2)) { try file.read() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test("A folder in place of the state file is refused")
    func folderInPlaceOfTheStateFileIsRefused() throws {
        try folder.write("", to: "hub.json/within")
        let file = try StateFile(path: path)
        #expect(throws: LocalHubError.self) { try file.read() }
    }

    @Test("A state that exceeds the limits is refused")
    func stateThatExceedsTheLimitsIsRefused() throws {
        let file = try StateFile(path: path)
        try file.write(SavedState(hubs: state.hubs + state.hubs))
        let saved = try #require(try file.read())
        #expect(throws: HubFailure.hubExists) {
            try HubNamespace(limits: LocalHubLimits()).restore(saved)
        }
    }

    @Test("An empty file is treated as a new state") func emptyFileIsTreatedAsANewState() throws {
        try folder.write("", to: "hub.json")
        #expect(try StateFile(path: path).read() == nil)
    }

    @Test("A symbolic link is followed and kept") func symbolicLinkIsFollowedAndKept() throws {
        let link = try folder.write("", to: "other.json") + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: LocalHubError.self) { _ = try StateFile(path: link) }
        try folder.write("", to: "hub.json")
        let file = try StateFile(path: link)
        #expect(file.path == URL(filePath: path).resolvingSymlinksInPath().path)
        #expect(throws: LocalHubError.stateFileInUse(file.path)) { _ = try StateFile(path: path) }
        try file.write(state)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        #expect(try file.read() == state)
    }

    @Test("The error for a folder says that it is not a file")
    func errorForAFolderSaysThatItIsNotAFile() throws {
        let error = #expect(throws: LocalHubError.self) {
            try folder.write("", to: "sub/within")
            _ = try StateFile(path: folder.file("sub")).read()
        }
        #expect(try #require(error).description.contains("not a regular file"))
    }
}
