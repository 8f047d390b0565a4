import Foundation
import Glibc
import TestSupport
import Testing

@testable import Files

@Suite(.bounded) struct FileProtectionTests {
    private let user: UInt32 = 1_000

    private func objection(
        _ mode: UInt32, _ protection: FileProtection, owner: UInt32 = 1_000, group: UInt32 = 50,
        user: UInt32 = 1_000, ownGroups: Set<UInt32> = [], isShutIn: Bool = false,
        mount: FileReach.Mount = .writable, isPlatformSecret: Bool = false
    ) -> ProtectedFileError? {
        protection.objection(
            to: FileReach(
                FileStatus(owner: owner, group: group, mode: mode), user: user,
                ownGroups: ownGroups, isShutIn: isShutIn, mount: mount,
                isPlatformSecret: isPlatformSecret))
    }

    @Test(
        "A secret must not be accessible to others",
        arguments: [
            (0o600, nil), (0o400, nil), (0o700, nil), (0o640, .readableByOthers(.mode)),
            (0o604, .readableByOthers(.mode)), (0o610, .readableByOthers(.mode)),
            (0o644, .readableByOthers(.mode)), (0o620, .writableByOthers(.mode)),
            (0o602, .writableByOthers(.mode)), (0o666, .readableByOthers(.mode)),
        ] as [(UInt32, ProtectedFileError?)])
    func secretMustNotBeAccessibleToOthers(mode: UInt32, expected: ProtectedFileError?) {
        #expect(objection(mode, .secret) == expected)
        #expect(objection(mode, .secret, group: user) == expected, "a group may have others too")
        #expect(objection(mode, .secret, isShutIn: true) == nil)
    }

    @Test(
        "A trusted file must not be writable by others",
        arguments: [
            (0o644, nil), (0o600, nil), (0o755, nil), (0o664, .writableByOthers(.mode)),
            (0o646, .writableByOthers(.mode)), (0o666, .writableByOthers(.mode)),
        ] as [(UInt32, ProtectedFileError?)])
    func trustedFileMustNotBeWritableByOthers(mode: UInt32, expected: ProtectedFileError?) {
        #expect(objection(mode, .trusted) == expected)
        #expect(objection(mode, .store) == expected)
    }

    @Test("A group with no other members may access a file")
    func groupWithNoOtherMembersMayAccessAFile() {
        #expect(objection(0o664, .trusted, group: user) == nil)
        #expect(objection(0o666, .trusted, group: user) == .writableByOthers(.mode))
        for protection in [FileProtection.secret, .trusted, .store] {
            #expect(objection(0o660, protection, ownGroups: [50]) == nil)
            #expect(objection(0o662, protection, ownGroups: [50]) == .writableByOthers(.mode))
        }
    }

    @Test(
        "A group counts as the user's own only if nobody else can be a member",
        arguments: [
            (SystemGroup(2_000, name: nil), true, true),
            (SystemGroup(2_000, name: nil), false, false),
            (SystemGroup(2_000, name: nil, users: [1_001]), true, false),
            (SystemGroup(65_534, name: nil), true, false),
            (SystemGroup(0, name: "root", users: [0, 5, 11]), true, true),
            (SystemGroup(0, name: "root", members: ["anna"]), true, false),
            (SystemGroup(4_000_000_000, name: "push", users: [4_000_000_000]), false, true),
            (SystemGroup(4_000_000_000, name: "push", members: ["anna"]), true, false),
            (SystemGroup(4_000_000_000, name: "push", users: [1_001]), true, false),
            // A directory server need not list the primary members of a group.
            (SystemGroup(100, name: "users"), true, false),
        ])
    func groupCountsAsTheUsersOwnOnlyIfNobodyElseCanBeAMember(
        group: SystemGroup, isJoined: Bool, expected: Bool
    ) {
        let user = SystemUser(4_000_000_000)
        #expect(group.isOnly(user, isJoined: isJoined, isContained: true) == expected)
        #expect(
            group.isOnly(user, isJoined: isJoined, isContained: false)
                == (expected && group != SystemGroup(2_000, name: nil)))
    }

    @Test(
        "Every entry of an access control list is considered",
        arguments: [
            // As created by systemd's LoadCredential.
            ([(2, 4, 1_000), (4, 0, 0), (16, 4, 0), (32, 0, 0)], nil),
            ([(2, 4, 0), (4, 0, 0), (16, 4, 0), (32, 0, 0)], nil),
            ([(2, 4, 1_001), (4, 0, 0), (16, 4, 0), (32, 0, 0)], .readableByOthers(.mode)),
            ([(2, 7, 1_001), (4, 0, 0), (16, 0, 0), (32, 0, 0)], nil),
            ([(4, 0, 0), (8, 2, 60), (16, 7, 0), (32, 0, 0)], .writableByOthers(.mode)),
            ([(4, 4, 0), (32, 0, 0)], .readableByOthers(.mode)),
            ([(4, 0, 0), (32, 4, 0)], .readableByOthers(.mode)),
        ] as [([(UInt8, UInt8, UInt16)], ProtectedFileError?)])
    func everyEntryOfAnAccessControlListIsConsidered(
        entries: [(UInt8, UInt8, UInt16)], expected: ProtectedFileError?
    ) {
        let bytes: [UInt8] =
            [2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255]
            + entries.flatMap { tag, bits, number in
                [tag, 0, bits, 0, UInt8(number & 255), UInt8(number >> 8), 0, 0]
            }
        let reach = FileReach(
            FileStatus(owner: user, group: 50, mode: 0o640), user: user,
            grants: FileReach.grants(ofList: bytes, group: 50))
        #expect(FileProtection.secret.objection(to: reach) == expected)
    }

    @Test("A container's read-only mount protects trusted files and secrets")
    func containersReadOnlyMountProtectsTrustedFilesAndSecrets() {
        let mount = FileReach.Mount.readOnlyInContainer
        #expect(objection(0o666, .trusted, owner: 1_001, mount: mount) == nil)
        #expect(objection(0o666, .trusted, mount: .readOnly) == .writableByOthers(.mount))
        #expect(objection(0o444, .secret, owner: 0, mount: mount) == .readableByOthers(.mount))
        #expect(
            objection(0o444, .secret, owner: 1_001, mount: mount, isPlatformSecret: true) == nil)
        #expect(objection(0o444, .secret, owner: 0, isPlatformSecret: true) == nil)
        #expect(
            objection(0o446, .secret, owner: 0, isPlatformSecret: true)
                == .writableByOthers(.owner))
        #expect(
            objection(0o400, .secret, owner: 1_001, isPlatformSecret: true)
                == .ownedByAnother(SystemUser(1_001), .owner))
    }

    @Test("A file must belong to the user or root", arguments: [FileProtection.secret, .trusted])
    func fileMustBelongToTheUserOrRoot(protection: FileProtection) {
        #expect(
            objection(0o600, protection, owner: 1_001)
                == .ownedByAnother(SystemUser(1_001), .owner))
        #expect(objection(0o600, protection, owner: 0) == nil)
    }

    @Test("Root accepts any user's trusted file, but not their secrets")
    func rootAcceptsAnyUsersTrustedFileButNotTheirSecrets() {
        #expect(objection(0o644, .trusted, owner: 1_001, user: 0) == nil)
        #expect(
            objection(0o600, .secret, owner: 1_001, user: 0)
                == .ownedByAnother(SystemUser(1_001), .mode))
    }

    @Test("Only regular files are read", arguments: [FileStatus.Kind.folder, .link, .special])
    func onlyRegularFilesAreRead(kind: FileStatus.Kind) {
        let status = FileStatus(kind: kind, owner: user, group: user, mode: 0o600)
        for protection in [FileProtection.secret, .trusted, .store] {
            #expect(protection.objection(to: FileReach(status, user: user)) == .notRegular)
        }
    }

    @Test("A private folder protects a file unless the file has a second hard link")
    func privateFolderProtectsAFileUnlessTheFileHasASecondHardLink() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "own/deep/key", mode: 0o644)
        #expect(throws: ProtectedFileError.readableByOthers(.mode)) {
            try ProtectedFile.read(path, .secret, limit: 5)
        }
        try folder.setMode(0o700, of: "own")
        #expect(try ProtectedFile.read(path, .secret, limit: 5) == [UInt8(ascii: "x")])
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("key"))
        #expect(throws: ProtectedFileError.readableByOthers(.mode)) {
            try ProtectedFile.read(path, .secret, limit: 5)
        }
    }

    @Test("A file is read up to its limit") func fileIsReadUpToItsLimit() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("12345", to: "key", mode: 0o600)
        #expect(try ProtectedFile.read(path, .secret, limit: 5) == Array("12345".utf8))
        #expect(throws: ProtectedFileError.tooLong(limit: 4)) {
            try ProtectedFile.read(path, .secret, limit: 4)
        }
    }

    @Test("Links are followed only if allowed") func linksAreFollowedOnlyIfAllowed() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "key", mode: 0o600)
        try folder.link("link", to: path)
        let link = folder.file("link")
        #expect(try ProtectedFile.read(link, .secret, limit: 5) == [UInt8(ascii: "x")])
        let error = #expect(throws: ProtectedFileError.self) {
            try ProtectedFile.read(link, .secret, limit: 5, followingLinks: false)
        }
        guard case .unreadable(let system) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(system.kind == .link)
    }

    @Test("A pipe is refused without waiting for its other end")
    func pipeIsRefusedWithoutWaitingForItsOtherEnd() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in [folder.file("pipe"), "/dev/null", folder.path] {
            #expect(throws: ProtectedFileError.notRegular) {
                try ProtectedFile.read(path, .secret, limit: 5)
            }
        }
    }

    @Test("Messages about files say what to do") func messagesAboutFilesSayWhatToDo() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none")
        let error = #expect(throws: ProtectedFileError.self) {
            try ProtectedFile.read(path, .trusted, limit: 5)
        }
        #expect(
            error?.text(path: path)
                == "cannot be read: no such file or directory. Check the path and the permissions of the file and its folders."
        )
        #expect(
            error?.text(path: path, making: "touch it")
                == "cannot be read: no such file or directory. Create it: touch it")
    }

    @Test(
        "No command is suggested that would fail for a known reason",
        arguments: [
            (
                ProtectedFileError.readableByOthers(.mode),
                "can be read by others. Run: chmod 600 /k"
            ),
            (.writableByOthers(.mode), "can be written by others. Run: chmod go-w /k"),
            (
                .writableByOthers(.owner),
                "belongs to root and can be written by others. As root, run: chmod go-w /k"
            ),
            (
                .readableByOthers(.owner),
                "belongs to root and can be read by others. Ask root to change its owner to you and its mode to 600."
            ),
            (
                .readableByOthers(.mount),
                "is on a read-only mount and can be read by others. In a container, mount it below /run/secrets; elsewhere, copy it into a file that only you can read."
            ),
        ])
    func noCommandIsSuggestedThatWouldFailForAKnownReason(
        problem: ProtectedFileError, words: String
    ) {
        #expect(problem.text(path: "/k") == words)
    }
}
