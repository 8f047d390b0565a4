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
    ) -> FileFault? {
        protection.objection(
            to: FileReach(
                FileStatus(owner: owner, group: group, mode: mode), user: user,
                ownGroups: ownGroups, isShutIn: isShutIn, mount: mount,
                isPlatformSecret: isPlatformSecret))
    }

    @Test(
        arguments: [
            (0o600, nil), (0o400, nil), (0o700, nil), (0o640, .readableByOthers(.mode)),
            (0o604, .readableByOthers(.mode)), (0o610, .readableByOthers(.mode)),
            (0o644, .readableByOthers(.mode)), (0o620, .writableByOthers(.mode)),
            (0o602, .writableByOthers(.mode)), (0o666, .readableByOthers(.mode)),
        ] as [(UInt32, FileFault?)])
    func aSecretIsNobodyElses(mode: UInt32, expected: FileFault?) {
        #expect(objection(mode, .secret) == expected)
        #expect(objection(mode, .secret, group: user) == expected, "a group may have others too")
        #expect(objection(mode, .secret, isShutIn: true) == nil)
    }

    @Test(
        arguments: [
            (0o644, nil), (0o600, nil), (0o755, nil), (0o664, .writableByOthers(.mode)),
            (0o646, .writableByOthers(.mode)), (0o666, .writableByOthers(.mode)),
        ] as [(UInt32, FileFault?)])
    func whatIsTrustedIsChangedByNobodyElse(mode: UInt32, expected: FileFault?) {
        #expect(objection(mode, .trusted) == expected)
        #expect(objection(mode, .store) == expected)
    }

    @Test("A group that only this user has is nobody else")
    func ownGroup() {
        #expect(objection(0o664, .trusted, group: user) == nil)
        #expect(objection(0o666, .trusted, group: user) == .writableByOthers(.mode))
        for protection in [FileProtection.secret, .trusted, .store] {
            #expect(objection(0o660, protection, ownGroups: [50]) == nil)
            #expect(objection(0o662, protection, ownGroups: [50]) == .writableByOthers(.mode))
        }
    }

    @Test(
        "Only a group that nobody else can be in is a user's own",
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
            // A directory server need not list whose first group it is.
            (SystemGroup(100, name: "users"), true, false),
        ])
    func groups(group: SystemGroup, isJoined: Bool, expected: Bool) {
        let user = SystemUser(4_000_000_000)
        #expect(group.isOnly(user, isJoined: isJoined, isContained: true) == expected)
        #expect(
            group.isOnly(user, isJoined: isJoined, isContained: false)
                == (expected && group != SystemGroup(2_000, name: nil)))
    }

    @Test(
        "An access control list counts entry by entry",
        arguments: [
            // As systemd's LoadCredential makes it.
            ([(2, 4, 1_000), (4, 0, 0), (16, 4, 0), (32, 0, 0)], nil),
            ([(2, 4, 0), (4, 0, 0), (16, 4, 0), (32, 0, 0)], nil),
            ([(2, 4, 1_001), (4, 0, 0), (16, 4, 0), (32, 0, 0)], .readableByOthers(.mode)),
            ([(2, 7, 1_001), (4, 0, 0), (16, 0, 0), (32, 0, 0)], nil),
            ([(4, 0, 0), (8, 2, 60), (16, 7, 0), (32, 0, 0)], .writableByOthers(.mode)),
            ([(4, 4, 0), (32, 0, 0)], .readableByOthers(.mode)),
            ([(4, 0, 0), (32, 4, 0)], .readableByOthers(.mode)),
        ] as [([(UInt8, UInt8, UInt16)], FileFault?)])
    func accessList(entries: [(UInt8, UInt8, UInt16)], expected: FileFault?) {
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

    @Test("A container's read-only mount vouches for trusted files, and for secrets in their place")
    func mounts() {
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

    @Test(arguments: [FileProtection.secret, .trusted])
    func aFileIsTheUsersOwnOrRoots(protection: FileProtection) {
        #expect(
            objection(0o600, protection, owner: 1_001)
                == .ownedByAnother(SystemUser(1_001), .owner))
        #expect(objection(0o600, protection, owner: 0) == nil)
    }

    @Test func rootTrustsWhatAnyUserOwnsButNoSecretOfTheirs() {
        #expect(objection(0o644, .trusted, owner: 1_001, user: 0) == nil)
        #expect(
            objection(0o600, .secret, owner: 1_001, user: 0)
                == .ownedByAnother(SystemUser(1_001), .mode))
    }

    @Test(arguments: [FileStatus.Kind.folder, .link, .special])
    func onlyRegularFilesAreRead(kind: FileStatus.Kind) {
        let status = FileStatus(kind: kind, owner: user, group: user, mode: 0o600)
        for protection in [FileProtection.secret, .trusted, .store] {
            #expect(protection.objection(to: FileReach(status, user: user)) == .notRegular)
        }
    }

    @Test("A file is out of reach in a folder that nobody else may enter, but not by another name")
    func shutIn() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "own/deep/key", mode: 0o644)
        #expect(throws: FileFault.readableByOthers(.mode)) {
            try ProtectedFile.read(path, .secret, limit: 5)
        }
        try folder.setMode(0o700, of: "own")
        #expect(try ProtectedFile.read(path, .secret, limit: 5) == [UInt8(ascii: "x")])
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("key"))
        #expect(throws: FileFault.readableByOthers(.mode)) {
            try ProtectedFile.read(path, .secret, limit: 5)
        }
    }

    @Test func aFileIsReadToItsLimit() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("12345", to: "key", mode: 0o600)
        #expect(try ProtectedFile.read(path, .secret, limit: 5) == Array("12345".utf8))
        #expect(throws: FileFault.tooLong(limit: 4)) {
            try ProtectedFile.read(path, .secret, limit: 4)
        }
    }

    @Test func linksAreFollowedWhereTheyMay() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("x", to: "key", mode: 0o600)
        try folder.link("link", to: path)
        let link = folder.file("link")
        #expect(try ProtectedFile.read(link, .secret, limit: 5) == [UInt8(ascii: "x")])
        let fault = #expect(throws: FileFault.self) {
            try ProtectedFile.read(link, .secret, limit: 5, followingLinks: false)
        }
        guard case .unreadable(let system) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(system.kind == .link)
    }

    @Test func aPipeIsRefusedWithoutWaitingForItsOtherEnd() throws {
        let folder = try TemporaryFolder()
        #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in [folder.file("pipe"), "/dev/null", folder.path] {
            #expect(throws: FileFault.notRegular) {
                try ProtectedFile.read(path, .secret, limit: 5)
            }
        }
    }

    @Test func theWordsSayWhatToDo() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("none")
        let fault = #expect(throws: FileFault.self) {
            try ProtectedFile.read(path, .trusted, limit: 5)
        }
        #expect(
            fault?.text(path: path)
                == "cannot be read: no such file or directory. Check its path, and the rights to it and its folders."
        )
        #expect(
            fault?.text(path: path, making: "touch it")
                == "cannot be read: no such file or directory. Make it: touch it")
    }

    @Test(
        "No command is printed that cannot work",
        arguments: [
            (FileFault.readableByOthers(.mode), "can be read by others. Run: chmod 600 /k"),
            (.writableByOthers(.mode), "can be written by others. Run: chmod go-w /k"),
            (
                .writableByOthers(.owner),
                "belongs to root and can be written by others. Have root run: chmod go-w /k"
            ),
            (
                .readableByOthers(.owner),
                "belongs to root and can be read by others. Have root give it to you, with mode 600."
            ),
            (
                .readableByOthers(.mount),
                "is on a read-only mount and can be read by others. In a container, mount it below /run/secrets; elsewhere, copy it into a file that only you can read."
            ),
        ])
    func remedies(fault: FileFault, words: String) {
        #expect(fault.text(path: "/k") == words)
    }
}
