import Files
import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct OpenFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("Contents are read up to the limit") func contentsAreReadUpToTheLimit() throws {
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        let path = try folder.write(bytes, to: "large")
        #expect(try OpenFile(path, for: .reading).contents(limit: 600_000) == bytes)
        #expect(try OpenFile(path, for: .reading).contents(limit: 599_999) == nil)
        #expect(try OpenFile(path, for: .reading).beginning(10) == Array(bytes[..<10]))
    }

    @Test("Bytes are read at any offset within the file")
    func bytesAreReadAtAnyOffsetWithinTheFile() throws {
        let file = try OpenFile(folder.file("file"), for: .creating)
        try file.write(Array("0123456789".utf8), at: 0)
        var bytes = Array(">".utf8)
        try file.read(at: 3, count: 4, into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == ">3456")
        let error = #expect(throws: SystemError.self) {
            try file.read(at: 8, count: 4, into: &bytes)
        }
        #expect(error?.kind == .inputOutput)
    }

    @Test("Creating a file never replaces another file")
    func creatingAFileNeverReplacesAnotherFile() throws {
        let path = try folder.write("old", to: "file")
        let error = #expect(throws: SystemError.self) { try OpenFile(path, for: .creating) }
        #expect(error?.kind == .exists)
        let new = try OpenFile(folder.file("new"), for: .creating)
        #expect(try new.status().mode == 0o600)
    }

    @Test("A path component is never followed as a link")
    func pathComponentIsNeverFollowedAsALink() throws {
        try folder.write("x", to: "sub/file")
        try folder.link("sub/link", to: "file")
        let sub = try OpenFile(folder.file("sub"), for: .folder)
        #expect(try OpenFile(component: "file", in: sub, for: .reading).beginning(9).count == 1)
        let error = #expect(throws: SystemError.self) {
            try OpenFile(component: "link", in: sub, for: .reading)
        }
        #expect(error?.kind == .link)
        #expect(try sub.target(ofLink: "link") == "file")
    }

    @Test(
        "A path component must be a single name",
        arguments: ["sub/file", "sub/\u{301}file", "sub\u{D4E}/file", "file\0", "/"])
    func pathComponentMustBeASingleName(component: String) throws {
        for name in ["file", "sub/file", "sub/\u{301}file", "sub\u{D4E}/file"] {
            try folder.write("x", to: name)
        }
        let parent = try OpenFile(folder.path, for: .folder)
        let error = #expect(throws: SystemError.self) {
            try OpenFile(component: component, in: parent, for: .reading)
        }
        #expect(error?.number == EINVAL)
    }

    @Test("Lines are appended to the end of a file") func linesAreAppendedToTheEndOfAFile() throws {
        let path = folder.file("log")
        try OpenFile(path, for: .appending).write("a\n".utf8)
        let file = try OpenFile(path, for: .appending)
        #expect(try file.writeSome(Array("b\n".utf8)[...]) == 2)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a\nb\n")
    }

    @Test("A byte can be locked only once until it is released")
    func byteCanBeLockedOnlyOnceUntilItIsReleased() throws {
        let path = folder.file("lock")
        let held = try #require(try FileLock.take(7, of: OpenFile(path, for: .locking)))
        #expect(try FileLock.take(7, of: OpenFile(path, for: .locking)) == nil)
        #expect(try FileLock.take(8, of: OpenFile(path, for: .locking)) != nil)
        held.release()
        held.release()
        #expect(try FileLock.take(7, of: OpenFile(path, for: .locking)) != nil)
        #expect(try folder.mode("lock") == 0o600)
    }

    /// A program that is being started briefly has all files of this process open.
    @Test("A lock is released even if the file is still open elsewhere")
    func lockIsReleasedEvenIfTheFileIsStillOpenElsewhere() throws {
        let path = folder.file("lock")
        let file = try OpenFile(path, for: .locking)
        let held = try #require(try FileLock.take(7, of: file))
        let copy = file.withDescriptor { dup($0) }
        defer { close(copy) }
        held.release()
        #expect(try FileLock.take(7, of: OpenFile(path, for: .locking)) != nil)
    }

    @Test("Checking for a lock does not take it") func checkingForALockDoesNotTakeIt() throws {
        let path = folder.file("lock")
        let asker = try OpenFile(path, for: .locking)
        #expect(try !FileLock.isTaken(7, of: asker))
        let held = try #require(try FileLock.take(7, of: OpenFile(path, for: .locking)))
        #expect(try FileLock.isTaken(7, of: asker))
        #expect(try FileLock.isTaken(7, of: OpenFile(path, for: .reading)))
        #expect(try !FileLock.isTaken(8, of: asker))
        held.release()
        #expect(try !FileLock.isTaken(7, of: asker))
        #expect(
            try FileLock.take(7, of: OpenFile(path, for: .locking)) != nil, "the asker holds none")
    }

    @Test("A shared lock excludes only exclusive locks")
    func sharedLockExcludesOnlyExclusiveLocks() throws {
        let path = try folder.write("", to: "lock")
        let asker = try OpenFile(path, for: .updating)
        let first = try FileLock.take(7, of: OpenFile(path, for: .reading), isShared: true)
        let second = try FileLock.take(7, of: OpenFile(path, for: .reading), isShared: true)
        #expect(first != nil && second != nil)
        #expect(try FileLock.take(7, of: asker) == nil)
        #expect(try FileLock.isAnyTaken(5...9, of: asker))
        #expect(try !FileLock.isAnyTaken(8...(.max), of: asker))
        first?.release()
        #expect(try FileLock.isTaken(7, of: asker))
        second?.release()
        #expect(try FileLock.take(7, of: asker) != nil)
    }

    @Test("A lock is released when its last reference is released")
    func lockIsReleasedWhenItsLastReferenceIsReleased() throws {
        let path = folder.file("lock")
        var held = try FileLock.take(of: OpenFile(path, for: .locking))
        #expect(held != nil)
        held = nil
        #expect(try FileLock.take(of: OpenFile(path, for: .locking)) != nil)
    }

    @Test("A stamp detects a change that leaves the size of the file unchanged")
    func stampDetectsAChangeThatLeavesTheSizeOfTheFileUnchanged() throws {
        let path = try folder.write("one", to: "file")
        let before = try FileStatus(of: path)
        try folder.setMode(0o600, of: "file")
        #expect(try FileStatus(of: path) != before)
        #expect(try FileStatus(of: path) == FileStatus(of: path))
        #expect(try FileStatus(of: path).identity == before.identity)
        #expect(try FileStatus.find(folder.file("none")) == nil)
    }

    @Test("A folder is created with its missing parents")
    func folderIsCreatedWithItsMissingParents() throws {
        try Folder.make(folder.file("a/b/c"))
        #expect(try folder.mode("a") == 0o700)
        #expect(try folder.mode("a/b/c") == 0o700)
        try Folder.make(folder.file("a/b/c"))
        try folder.write("", to: "file")
        let error = #expect(throws: SystemError.self) { try Folder.make(folder.file("file")) }
        #expect(error?.kind == .noFolder)
        #expect(try Folder.nearest(folder.file("a/x/y")) == folder.file("a"))
    }

    @Test("A file system with free space or without limits is not full")
    func fileSystemWithFreeSpaceOrWithoutLimitsIsNotFull() throws {
        #expect(!Folder.isFull(at: folder.path))
        #expect(!Folder.isFull(at: "/proc"), "it has no blocks, and no numbers of files")
        #expect(!Folder.isFull(at: folder.file("none")))
    }

    @Test("Each temporary folder has a new name") func eachTemporaryFolderHasANewName() throws {
        let first = try Folder.makeTemporary(in: folder.path, prefix: "t-")
        let second = try Folder.makeTemporary(in: folder.path, prefix: "t-")
        #expect(first != second)
        #expect(try FileStatus(of: first).mode == 0o700)
    }
}
