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

    @Test func whatIsWrittenIsRead() throws {
        let file = try StateFile(path: path)
        #expect(try file.read() == nil)
        try file.write(state)
        #expect(try file.read() == state)
        #expect(try folder.mode("hub.json") == 0o600)
        #expect(try folder.contents() == ["hub.json", "hub.json.lock"])
    }

    @Test func aWriteReplacesWhatAKilledHubLeft() throws {
        try folder.write("{\"half", to: "hub.json.tmp")
        let file = try StateFile(path: path)
        try file.write(state)
        #expect(try file.read() == state)
        #expect(try folder.contents() == ["hub.json", "hub.json.lock"])
    }

    @Test func aWriteThatFailsLeavesTheOldState() throws {
        let file = try StateFile(path: path)
        try file.write(state)
        // A folder in the place of the temporary file keeps even root from writing it.
        try folder.write("", to: "hub.json.tmp/in-the-way")
        let expected = LocalHubError.stateFileNotWritten(path, reason: "is a directory")
        #expect(throws: expected) { try file.write(SavedState(hubs: [])) }
        #expect(try file.read() == state)
    }

    @Test func aSecondHubIsRefusedUntilTheFirstIsGone() throws {
        var first: StateFile? = try StateFile(path: path)
        #expect(first != nil)
        #expect(throws: LocalHubError.stateFileInUse(path)) { try StateFile(path: path) }
        first = nil
        _ = try StateFile(path: path)
    }

    @Test(arguments: [
        "{", "[]", "null", #"{"some":"thing"}"#, #"{"head":{"format":"other","version":1}}"#,
        #"{"head":{"format":"hubsend local hub state","version":1}}"#,
        #"{"head":{"format":"hubsend local hub state","version":1},"hubs":[{"name":1}]}"#,
    ])
    func aDamagedOrForeignFileIsRefusedAndLeftAlone(content: String) throws {
        try folder.write(content, to: "hub.json")
        var configuration = LocalHubConfiguration()
        configuration.stateFile = path
        let error = #expect(throws: LocalHubError.self) {
            try LocalHubServer(configuration: configuration, logger: HubUnderTest.quiet)
        }
        let sentence = try #require(error).description
        #expect(sentence.contains(path) && sentence.contains("left as it is"), "\(sentence)")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test func theSentenceNamesThePlaceOfTheDamage() throws {
        let content =
            #"{"head":{"format":"hubsend local hub state","version":1},"hubs":[{"name":"secret"}]}"#
        try folder.write(content, to: "hub.json")
        let file = try StateFile(path: path)
        let expected = LocalHubError.stateFileDamaged(
            path, reason: "hubs[0].description cannot be read")
        #expect(throws: expected) { try file.read() }
    }

    @Test func aNewerFileIsRefusedAndLeftAlone() throws {
        let content = #"{"head":{"format":"hubsend local hub state","version":2},"tomorrow":true}"#
        try folder.write(content, to: "hub.json")
        let file = try StateFile(path: path)
        #expect(throws: LocalHubError.stateFileNewer(path, version: 2)) { try file.read() }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }

    @Test func aFolderIsNoStateFile() throws {
        try folder.write("", to: "hub.json/within")
        let file = try StateFile(path: path)
        #expect(throws: LocalHubError.self) { try file.read() }
    }

    @Test func stateThatBreaksTheLimitsIsRefused() throws {
        let file = try StateFile(path: path)
        try file.write(SavedState(hubs: state.hubs + state.hubs))
        let saved = try #require(try file.read())
        #expect(throws: HubFailure.hubExists) {
            try HubNamespace(limits: LocalHubLimits()).restore(saved)
        }
    }

    @Test func anEmptyFileIsABeginning() throws {
        try folder.write("", to: "hub.json")
        #expect(try StateFile(path: path).read() == nil)
    }

    @Test func aLinkIsFollowedAndStays() throws {
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

    @Test func aFolderIsToldFromAFile() throws {
        let error = #expect(throws: LocalHubError.self) {
            try folder.write("", to: "sub/within")
            _ = try StateFile(path: folder.file("sub")).read()
        }
        #expect(try #require(error).description.contains("folder"))
    }
}
