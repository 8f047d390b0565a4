import CampaignCore
import Files
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct WatchedFilesTests {
    private let identity: TestIdentity

    init() throws {
        identity = try TestIdentity()
    }

    /// Checks the files until a changed file is accepted.
    private func settle(_ authenticator: Authenticator) async {
        for _ in 0..<3 {
            identity.time.advance(by: .seconds(1))
            await authenticator.refresh()
        }
    }

    @Test("A changed file takes effect within ten seconds")
    func changedFileTakesEffectWithinTenSeconds() async throws {
        let authenticator = try await identity.authenticator(passwords: TestPasswords.alice)
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "401")
        try identity.folder.write(TestPasswords.bob, to: "users", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "401")
        #expect(identity.sentences.isEmpty)
    }

    @Test("Changing a user's line invalidates their proven password")
    func changingAUsersLineInvalidatesTheirProvenPassword() async throws {
        let authenticator = try await identity.authenticator(passwords: TestPasswords.alice)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
        let other = "alice:$2b$12$Qr2weRyx5wy5E7rygCMk3.FOZwu.Y/F4iOHYNm4b4Qin0E/kQcWkG\n"
        try identity.folder.write(other, to: "users", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "401")
        #expect(await authenticator.answer(TestPasswords.basic("alice", "x")) == "alice")
    }

    @Test("While the password file is broken, nobody can sign in")
    func whileThePasswordFileIsBrokenNobodyCanSignIn() async throws {
        let authenticator = try await identity.authenticator(passwords: TestPasswords.alice)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
        try identity.folder.write("alice:hunter2\n", to: "users", mode: 0o600)
        await settle(authenticator)
        await settle(authenticator)
        // Proven passwords are also refused.
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "503")
        #expect(identity.sentences.count == 1)
        #expect(
            identity.sentences.first?.hasPrefix("error: Nobody can sign in with passwords") == true)
        #expect(identity.sentences.first?.contains("users, line 1: ") == true)
        #expect(identity.sentences.first?.contains("hunter2") == false)
        try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
        #expect(identity.sentences.count == 2)
        #expect(identity.sentences.last?.hasPrefix("notice: ") == true)
    }

    @Test("While a file is missing or unprotected, nobody can sign in")
    func whileAFileIsMissingOrUnprotectedNobodyCanSignIn() async throws {
        let authenticator = try await identity.authenticator(passwords: TestPasswords.alice)
        try identity.folder.setMode(0o644, of: "users")
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "503")
        try FileManager.default.removeItem(atPath: identity.folder.file("users"))
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "503")
        #expect(identity.sentences.count == 2)
        try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
    }

    @Test("A file is not read while it is being written")
    func fileIsNotReadWhileItIsBeingWritten() async throws {
        let authenticator = try await identity.authenticator(passwords: TestPasswords.alice)
        await settle(authenticator)
        for number in 0..<4 {
            try identity.folder.write("half a file \(number)", to: "users", mode: 0o600)
            identity.time.advance(by: .seconds(1))
            await authenticator.refresh()
            #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
        }
        // A file that keeps changing is eventually read.
        for number in 0..<3 {
            try identity.folder.write("half a file, still \(number)", to: "users", mode: 0o600)
            identity.time.advance(by: .seconds(1))
            await authenticator.refresh()
        }
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "503")
    }

    @Test("Password files and token keys fail independently")
    func passwordFilesAndTokenKeysFailIndependently() async throws {
        let issuer = try await TestIssuer(.es256)
        let users = try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600)
        let authenticator = try await identity.authenticator(
            BackendSettings(users: users, jwt: try identity.rules([issuer])))
        #expect(
            authenticator.challenges == ["Bearer", "Basic realm=\"hubsend\", charset=\"UTF-8\""])
        let token = "Bearer " + (try issuer.token(TestIssuer.claims(of: "carol")))
        try identity.folder.write("broken", to: "users", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "503")
        #expect(await authenticator.answer(token) == "carol")
        try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600)
        try identity.folder.write("broken", to: "key-0", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
        #expect(await authenticator.answer(token) == "503")
        try identity.folder.write(issuer.keyFile, to: "key-0", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer(token) == "carol")
    }

    @Test("After a key is replaced, tokens signed with the old key are refused")
    func afterAKeyIsReplacedTokensSignedWithTheOldKeyAreRefused() async throws {
        let old = try await TestIssuer(.es256)
        let new = try await TestIssuer(.es256)
        let authenticator = try await identity.authenticator(old)
        try identity.folder.write(new.keyFile, to: "key-0", mode: 0o600)
        await settle(authenticator)
        #expect(await authenticator.answer("Bearer " + (try old.token())) == "401")
        #expect(await authenticator.answer("Bearer " + (try new.token())) == "alice")
    }

    @Test("A file that is invalid at startup causes an error")
    func fileThatIsInvalidAtStartupCausesAnError() async throws {
        let path = identity.folder.file("none")
        await #expect(
            throws: IdentityError.file(
                .passwords, path: path, .unreadable(SystemError(number: ENOENT)))
        ) {
            try await identity.authenticator(BackendSettings(users: path))
        }
        await #expect(throws: IdentityError.noWayIn) {
            try await identity.authenticator(BackendSettings())
        }
    }

    @Test("The service rereads files until its task is cancelled")
    func serviceRereadsFilesUntilItsTaskIsCancelled() async throws {
        let path = try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600)
        let lastNap = Milestone()
        let naps = Watched(0)
        var clock = identity.time.clock
        clock.sleep = { _ in
            guard
                naps.update({ count in
                    count += 1
                    return count == 10
                })
            else { return }
            lastNap.reach()
            await Milestone().wait()
            throw CancellationError()
        }
        let authenticator = try await Authenticator(
            settings: BackendSettings(users: path), documents: ScriptedDocuments(),
            logger: identity.logger, clock: clock)
        try identity.folder.write(TestPasswords.bob, to: "users", mode: 0o600)
        let running = Task { await authenticator.run() }
        await lastNap.wait()
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        running.cancel()
        await running.value
    }
}
