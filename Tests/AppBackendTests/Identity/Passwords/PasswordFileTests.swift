import CampaignCore
import Crypto
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct PasswordFileTests {
    private static let bcrypt = "$2y$10$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq"
    private static let yescrypt =
        "$y$j9T$bqOZC53IIW5kFlkZpgK.k0$cI7a7gDE96UKYBREn8A7jQhd51kNrTEjWSr16l6WGq7"

    private func faultOfFile(
        _ text: String, mostUsers: Int = PasswordFile.mostUsers
    ) -> IdentityError? {
        do throws(IdentityError) {
            _ = try PasswordFile(Array(text.utf8), path: "users", mostUsers: mostUsers)
            return nil
        } catch {
            return error
        }
    }

    @Test("Comments, empty lines and Windows line endings are accepted")
    func commentsEmptyLinesAndWindowsLineEndingsAreAccepted() throws {
        let text =
            "# people\r\n\r\n  \t\n" + TestPasswords.alice.dropLast() + "\r\n" + TestPasswords.bob
        let file = try PasswordFile(Array(text.utf8), path: "users")
        #expect(file.hash(of: try Username("alice"))?.method == .bcrypt)
        #expect(file.hash(of: try Username("bob"))?.method == .yescrypt)
        #expect(file.hash(of: try Username("Alice")) == nil)
    }

    @Test(
        "An unusable hash is refused with its line number",
        arguments: [
            ("alice:$apr1$r31.....$HqJZimcKQFAMYayBlzkrA/", PasswordLineError.md5),
            ("alice:$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/", .md5),
            ("alice:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", .sha),
            ("alice:$6$saltsalt$abc", .sha),
            ("alice:$5$saltsalt$abc", .sha),
            ("alice:rqXexS6ZhobKA", .unknown),
            ("alice:secret", .unknown),
            ("alice:", .unknown),
            ("alice:*", .unknown),
            ("alice:$7$CU..../....a$b", .unknown),
            ("alice:$2x$10$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq", .oldBcrypt),
            (
                "alice:$2y$10$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDw",
                .malformed(.bcrypt)
            ),
            ("alice:\(bcrypt):comment", .malformed(.bcrypt)),
            ("alice:\(bcrypt) ", .malformed(.bcrypt)),
            (
                "alice:$2y$xx$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq",
                .malformed(.bcrypt)
            ),
            (
                "alice:$2y$05$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq",
                .tooCheap(.bcrypt, 5)
            ),
            (
                "alice:$2y$15$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq",
                .tooCostly(.bcrypt, 15)
            ),
            (
                "alice:$y$j75$njvNO3DW57i.bW88RSTRW1$E6toC94ZxlDz2nNs1OSf1Qp4GHuOR/VryAPGAsrebY3",
                .tooCheap(.yescrypt, 1)
            ),
            (
                "alice:$y$j8T$gPxWD5.SfByGih7NIClnz/$ze13QPNJR0onITfBaeVz.7rydDTFr88dBYKOt4OUed7",
                .tooCheap(.yescrypt, 4)
            ),
            (
                "alice:$y$jFT$qbziF5ku7YsKuHcxKX5VH.$hIfB8weF1S9aV9UguJBEDpi6lcc2Hux2oEi98HtMKo3",
                .tooCostly(.yescrypt, 11)
            ),
            (
                "alice:$y$jzzz$qbziF5ku7YsKuHcxKX5VH.$hIfB8weF1S9aV9UguJBEDpi6lcc2Hux2oEi98HtMKo3",
                .malformed(.yescrypt)
            ),
            ("alice:$y$j9T$bqOZC53IIW5kFlkZpgK.k0$cI7a", .malformed(.yescrypt)),
            ("alice \(bcrypt)", .noColon),
            ("al ice:\(bcrypt)", .name(.forbidden(" "))),
            (":\(bcrypt)", .name(.empty)),
            ("bob:\(bcrypt)", .duplicate(firstLine: 1)),
            (String(repeating: "a", count: 1_025), .tooLong),
        ])
    func unusableHashIsRefusedWithItsLineNumber(line: String, expected: PasswordLineError) throws {
        let problem = try #require(faultOfFile(TestPasswords.bob + line + "\n"))
        #expect(problem == .passwordLine(path: "users", line: 2, expected))
        #expect(problem.description.hasPrefix("The password file users, line 2: "))
    }

    @Test("No message repeats text that could be a password")
    func noMessageRepeatsTextThatCouldBeAPassword() throws {
        for line in ["alice:hunter2", "hunter2", "alice:$2y$05$hunter2", "alice:$1$hunter2"] {
            let problem = try #require(faultOfFile(line))
            #expect(!problem.description.contains("hunter2"))
        }
        let hash = try PasswordHash(Self.bcrypt[...])
        #expect(!"\(hash)".contains("$2y$") && !String(reflecting: hash).contains("$2y$"))
        var dumped = ""
        dump(hash, to: &dumped)
        #expect(!dumped.contains("CyiQAo"))
    }

    @Test("A password file without users is refused")
    func passwordFileWithoutUsersIsRefused() throws {
        #expect(faultOfFile("") == .noPasswords(path: "users"))
        #expect(faultOfFile("# nobody\n") == .noPasswords(path: "users"))
    }

    @Test("A password file that is not UTF-8 is refused")
    func passwordFileThatIsNotUTF8IsRefused() throws {
        #expect(throws: IdentityError.passwordLine(path: "users", line: 1, .notText)) {
            try PasswordFile([0xFF, 0x3A, 0x61], path: "users")
        }
    }

    @Test("A password file with too many users is refused")
    func passwordFileWithTooManyUsersIsRefused() throws {
        // Twenty-one lines are enough to test the limit.
        let lines = (0...20).map { "user\($0):\(Self.bcrypt)\n" }
        #expect(faultOfFile(lines.joined(), mostUsers: 20) == .tooManyPasswords(path: "users"))
        #expect(faultOfFile(lines.dropLast().joined(), mostUsers: 20) == nil)
        #expect(PasswordFile.mostUsers == 100_000)
    }

    @Test("An unknown name is always checked against the same decoy hash")
    func unknownNameIsAlwaysCheckedAgainstTheSameDecoyHash() throws {
        let file = try PasswordFile(
            Array((TestPasswords.alice + TestPasswords.bob).utf8), path: "users")
        let key = SymmetricKey(size: .bits256)
        var methods: Set<PasswordMethod> = []
        for number in 0..<100 {
            let user = try Username("nobody\(number)")
            let decoy = file.decoy(for: user, key: key)
            #expect(decoy == file.decoy(for: user, key: key))
            methods.insert(decoy.method)
        }
        #expect(methods == [.bcrypt, .yescrypt])
    }

    @Test(
        "This system can check every kind of hash that the file may contain",
        arguments: [
            bcrypt, yescrypt,
            "$2b$11$Qr2weRyx5wy5E7rygCMk3.ucn4JHJ9lMw9y5HLJAyuGi1CjeDpd/.",
            "$2a$10$CyiQAoDqgJ0Dm0GW7qyoWuQHgTcet67FbXLlQw4j9l1ONpqCzLDwq",
            "$y$jCT$kHuoaGSwgyUJ9Tx6WoAN1.$dXvoh2qlxYquFvUUeFk4ylZz06nxvX8VX/mi.cbzLJC",
        ])
    func thisSystemCanCheckEveryKindOfHashThatTheFileMayContain(text: String) throws {
        let hash = try PasswordHash(text[...])
        let password = text == Self.bcrypt || text == Self.yescrypt ? "correct horse" : "x"
        if !text.hasPrefix("$2a$") {
            #expect(try PasswordHashing.matches(Array(password.utf8), hash))
        }
        #expect(try !PasswordHashing.matches(Array("wrong".utf8), hash))
        #expect(try !PasswordHashing.matches([], hash))
    }
}
