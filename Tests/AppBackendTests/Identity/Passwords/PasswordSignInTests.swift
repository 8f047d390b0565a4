import CampaignCore
import Crypto
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct PasswordSignInTests {
    @Test("The right password signs in, but a wrong one does not", arguments: ["alice", "bob"])
    func rightPasswordSignsInButAWrongOneDoesNot(user: String) async throws {
        let authenticator = try await TestIdentity().authenticator()
        #expect(await authenticator.answer(TestPasswords.basic(user)) == user)
        #expect(await authenticator.answer(TestPasswords.basic(user, "wrong")) == "401")
        #expect(await authenticator.answer(TestPasswords.basic(user, "")) == "401")
    }

    @Test("An unknown user and a wrong password get the same response")
    func unknownUserAndAWrongPasswordGetTheSameResponse() async throws {
        let authenticator = try await TestIdentity().authenticator()
        let unknown = await authenticator.refusal(TestPasswords.basic("carol"))
        #expect(unknown == (await authenticator.refusal(TestPasswords.basic("alice", "wrong"))))
        #expect(unknown != nil)
    }

    @Test("An unknown name cannot sign in with another user's password")
    func unknownNameCannotSignInWithAnotherUsersPassword() async throws {
        let authenticator = try await TestIdentity().authenticator(passwords: TestPasswords.alice)
        #expect(await authenticator.answer(TestPasswords.basic("carol")) == "401")
        #expect(await authenticator.answer(TestPasswords.basic("Alice")) == "401")
        #expect(await authenticator.answer(TestPasswords.basic("carol")) == "401")
    }

    @Test("A password of more than 72 bytes is refused with bcrypt")
    func passwordOfMoreThan72BytesIsRefusedWithBcrypt() async throws {
        let identity = try TestIdentity()
        let authenticator = try await identity.authenticator(passwords: TestPasswords.alice)
        let long = TestPasswords.basic("alice", String(repeating: "a", count: 73))
        #expect(
            await authenticator.refusal(long)
                == .unauthenticated(
                    reason: "the password has more than 72 bytes, which bcrypt does not accept"))
        #expect(
            await authenticator.refusal(
                TestPasswords.basic("carol", String(repeating: "a", count: 73)))
                == (await authenticator.refusal(long)))
    }

    @Test("Requests with no credentials or another scheme do not count as failures")
    func requestsWithNoCredentialsOrAnotherSchemeDoNotCountAsFailures() async throws {
        let authenticator = try await TestIdentity().authenticator()
        for _ in 0..<300 {
            #expect(await authenticator.answer(nil) == "401")
            #expect(await authenticator.answer("Bearer a.b.c") == "401")
            #expect(await authenticator.answer("Digest a") == "401")
        }
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "alice")
    }

    @Test("After ten wrong passwords, even the right one is refused")
    func afterTenWrongPasswordsEvenTheRightOneIsRefused() async throws {
        let identity = try TestIdentity()
        let authenticator = try await identity.authenticator()
        for number in 0..<10 {
            #expect(await authenticator.answer(TestPasswords.basic("bob", "\(number)")) == "401")
        }
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "429")
        #expect(
            await authenticator.refusal(TestPasswords.basic("bob"))
                == .tooManyFailures(retryAfter: .seconds(60)))
        identity.time.advance(by: .seconds(60))
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
    }

    @Test("Failures from one address do not lock out users at other addresses")
    func failuresFromOneAddressDoNotLockOutUsersAtOtherAddresses() async throws {
        let authenticator = try await TestIdentity().authenticator()
        for number in 0..<11 {
            _ = await authenticator.answer(
                TestPasswords.basic("bob", "\(number)"), from: "203.0.113.9")
        }
        #expect(
            await authenticator.answer(TestPasswords.basic("bob"), from: "203.0.113.9") == "429")
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        #expect(
            await authenticator.answer(TestPasswords.basic("alice"), from: "203.0.113.9") == "alice"
        )
    }

    @Test("After too many failures, even a proven password is refused")
    func afterTooManyFailuresEvenAProvenPasswordIsRefused() async throws {
        let authenticator = try await TestIdentity().authenticator()
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        for number in 0..<10 {
            #expect(await authenticator.answer(TestPasswords.basic("bob", "\(number)")) == "401")
        }
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "429")
        #expect(
            await authenticator.answer(TestPasswords.basic("bob"), from: "198.51.100.1") == "bob")
    }

    @Test("If their address is at its limit, users with proven passwords are still served")
    func ifTheirAddressIsAtItsLimitUsersWithProvenPasswordsAreStill() async throws {
        let authenticator = try await TestIdentity().authenticator()
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        for _ in 0..<100 { #expect(await authenticator.answer("Basic %") == "401") }
        #expect(await authenticator.answer("Basic %") == "429")
        #expect(await authenticator.answer(TestPasswords.basic("alice")) == "429")
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        // Guesses at a proven password are counted for its user, although nothing is hashed.
        for number in 0..<10 {
            #expect(await authenticator.answer(TestPasswords.basic("bob", "\(number)")) == "429")
        }
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "429")
    }

    @Test("Many simultaneous requests from one device all succeed")
    func manySimultaneousRequestsFromOneDeviceAllSucceed() async throws {
        let authenticator = try await TestIdentity().authenticator()
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { await authenticator.answer(TestPasswords.basic("bob")) }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(answers == ["bob"])
    }

    @Test("Simultaneous guesses cannot exceed the limit")
    func simultaneousGuessesCannotExceedTheLimit() async throws {
        let authenticator = try await TestIdentity().authenticator()
        let answers = await withTaskGroup(of: String.self) { group in
            for number in 0..<30 {
                group.addTask {
                    await authenticator.answer(TestPasswords.basic("bob", "\(number)"))
                }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["401": 10, "429": 20])
    }

    @Test("One address cannot fill the queue for others")
    func oneAddressCannotFillTheQueueForOthers() async throws {
        let identity = try TestIdentity()
        let threads = HashingThreads(threads: 1, limit: PasswordSignIn.mostChecks)
        let path = try identity.folder.write(TestPasswords.bob, to: "users", mode: 0o600)
        let authenticator = try await identity.authenticator(
            BackendSettings(users: path), threads: threads)
        let block = try HashingBlock(of: threads)
        await withTaskGroup(of: String.self) { group in
            for number in 0..<90 {
                group.addTask { await authenticator.answer(TestPasswords.basic("user\(number)")) }
            }
            // While nothing is hashed, only requests that do not fit into the queue get a response.
            for _ in 0..<(90 - PasswordSignIn.mostChecksOfAnAddress) {
                #expect(await group.next() == "503")
            }
            group.addTask {
                await authenticator.answer(TestPasswords.basic("bob"), from: "203.0.113.9")
            }
            block.end()
            let others = await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            #expect(others == ["401": PasswordSignIn.mostChecksOfAnAddress, "bob": 1])
        }
        // An unchecked attempt is not counted as a failure: only 16 of 100 are counted.
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
    }

    @Test("Hashing delays neither tokens nor proven passwords")
    func hashingDelaysNeitherTokensNorProvenPasswords() async throws {
        let identity = try TestIdentity()
        let threads = HashingThreads(threads: 1, limit: 2)
        let issuer = try await TestIssuer(.es256)
        let path = try identity.folder.write(TestPasswords.bob, to: "users", mode: 0o600)
        let authenticator = try await identity.authenticator(
            BackendSettings(users: path, jwt: try identity.rules([issuer])), threads: threads)
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        let block = try HashingBlock(of: threads)
        async let waiting = authenticator.answer(TestPasswords.basic("bob", "wrong"))
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        #expect(await authenticator.answer(TestPasswords.basic("bob")) == "bob")
        block.end()
        #expect(await waiting == "401")
    }

    @Test("A proven password expires") func provenPasswordExpires() throws {
        let time = TestTime()
        var proven = ProvenPasswords(limit: 8)
        let hash = try PasswordHash(TestPasswords.alice.dropLast().dropFirst(6))
        let key = SymmetricKey(size: .bits256)
        let code = PasswordCode(Array("a".utf8), hash, key: key)
        let address = LimitedAddress(IPAddress("192.0.2.1"))
        let owner = ProvenPasswords.Owner(user: "alice", address: address)
        proven.keep(code, of: owner, now: time.now)
        #expect(proven.contains(code, of: owner, now: time.now))
        let other = PasswordCode(Array("b".utf8), hash, key: key)
        #expect(!proven.contains(other, of: owner, now: time.now))
        time.advance(by: ProvenPasswords.lifetime)
        #expect(!proven.contains(code, of: owner, now: time.now))
        for number in 0..<100 {
            time.advance(by: .seconds(1))
            proven.keep(code, of: .init(user: "\(number)", address: address), now: time.now)
        }
        #expect(proven.count <= 8)
        #expect(proven.contains(code, of: .init(user: "99", address: address), now: time.now))
    }
}
