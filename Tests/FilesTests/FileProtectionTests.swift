import Files
import Foundation
import TestSupport
import Testing

@Suite(.bounded) struct FileProtectionTests {
    private let user: UInt32 = 1_000

    private func objection(
        _ mode: UInt32, _ protection: FileProtection, owner: UInt32 = 1_000, group: UInt32 = 50,
        user: UInt32 = 1_000
    ) -> FileFault? {
        protection.objection(
            to: FileStatus(owner: owner, group: group, mode: mode), user: user)
    }

    @Test(
        arguments: [
            (0o600, nil), (0o400, nil), (0o700, nil), (0o640, .readableByOthers),
            (0o604, .readableByOthers), (0o610, .readableByOthers), (0o644, .readableByOthers),
            (0o620, .writableByOthers), (0o602, .writableByOthers), (0o666, .readableByOthers),
        ] as [(UInt32, FileFault?)])
    func aSecretIsNobodyElses(mode: UInt32, expected: FileFault?) {
        #expect(objection(mode, .secret) == expected)
        #expect(objection(mode, .secret, group: user) == expected, "a group may have others too")
    }

    @Test(
        arguments: [
            (0o644, nil), (0o600, nil), (0o755, nil), (0o664, .writableByOthers),
            (0o646, .writableByOthers), (0o666, .writableByOthers),
        ] as [(UInt32, FileFault?)])
    func whatIsTrustedIsChangedByNobodyElse(mode: UInt32, expected: FileFault?) {
        #expect(objection(mode, .trusted) == expected)
    }

    @Test func aGroupOfTheOwnersOwnIsNobodyElseForWhatIsTrusted() {
        #expect(objection(0o664, .trusted, group: user) == nil)
        #expect(objection(0o666, .trusted, group: user) == .writableByOthers)
    }

    @Test(arguments: [FileProtection.secret, .trusted])
    func aFileIsTheUsersOwnOrRoots(protection: FileProtection) {
        #expect(objection(0o600, protection, owner: 1_001) == .ownedByAnother(SystemUser(1_001)))
        #expect(objection(0o600, protection, owner: 0) == nil)
    }

    @Test func rootTrustsWhatAnyUserOwnsButNoSecretOfTheirs() {
        #expect(objection(0o644, .trusted, owner: 1_001, user: 0) == nil)
        #expect(
            objection(0o600, .secret, owner: 1_001, user: 0) == .ownedByAnother(SystemUser(1_001)))
    }

    @Test(arguments: [FileStatus.Kind.folder, .link, .special])
    func onlyRegularFilesAreRead(kind: FileStatus.Kind) {
        let status = FileStatus(kind: kind, owner: user, group: user, mode: 0o600)
        #expect(FileProtection.secret.objection(to: status, user: user) == .notRegular)
        #expect(FileProtection.trusted.objection(to: status, user: user) == .notRegular)
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
        #expect(FileFault.readableByOthers.text(path: "/k").hasSuffix("Run: chmod 600 /k"))
        #expect(FileFault.writableByOthers.text(path: "/k").hasSuffix("Run: chmod go-w /k"))
    }
}
