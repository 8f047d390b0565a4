import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct UsernameTests {
    @Test(
        "A valid username is kept unchanged",
        arguments: [
            "a", "alice", "Alice", "alice@example.com", "_", "a#b.c:d-e", "-", "0",
            String(repeating: "x", count: 111),
        ])
    func validUsernameIsKeptUnchanged(text: String) throws {
        let username = try Username(text)
        #expect(username.text == text)
        #expect(username.tag == "username:" + text)
        #expect(username.tag.utf8.count <= 120)
    }

    @Test(
        "A username that does not fit in a hub tag is refused",
        arguments: [
            ("", UsernameError.empty),
            (String(repeating: "x", count: 112), .tooLong(characters: 112)),
            ("al ice", .forbidden(" ")),
            (" alice", .forbidden(" ")),
            ("alice\n", .forbidden("\n")),
            ("a,b", .forbidden(",")),
            ("a|b", .forbidden("|")),
            ("a||username:b", .forbidden("|")),
            ("(a)", .forbidden("(")),
            ("a+b@example.com", .forbidden("+")),
            ("jörg", .forbidden("ö")),
            ("a\u{200B}", .forbidden("\u{200B}")),
            ("\u{430}lice", .forbidden("\u{430}")),
            ("a\u{0}", .forbidden("\u{0}")),
            ("👍", .forbidden("👍")),
        ])
    func usernameThatDoesNotFitInAHubTagIsRefused(text: String, fault: UsernameError) {
        #expect(throws: fault) { try Username(text) }
    }

    @Test("A forbidden character is reported rather than an invalid length")
    func forbiddenCharacterIsReportedRatherThanAnInvalidLength() {
        let text = String(repeating: "x", count: 200) + "!"
        #expect(throws: UsernameError.forbidden("!")) { try Username(text) }
    }

    private static let allowed = "usernames may contain letters, digits and _ @ # . : -"

    @Test(
        "The error about a username can complete a sentence",
        arguments: [
            (UsernameError.empty, "is empty"),
            (.tooLong(characters: 112), "has 112 characters; a username has at most 111"),
            (.forbidden(" "), "has a space; \(allowed)"),
            (.forbidden("\t"), "has a tab; \(allowed)"),
            (.forbidden(";"), "has the character \";\"; \(allowed)"),
            (.forbidden("\""), "has a quote; \(allowed)"),
            (.forbidden("’"), "has an apostrophe; \(allowed)"),
            (.forbidden("“"), "has the curly quote “; use straight quotes or none"),
            (.forbidden("\u{A0}"), "has a no-break space; \(allowed)"),
            (.forbidden("\u{200B}"), "has the invisible character U+200B; \(allowed)"),
            (.forbidden("\u{7}"), "has the character U+0007; \(allowed)"),
            (.forbidden("👍"), "has the character U+1F44D; \(allowed)"),
        ])
    func errorAboutAUsernameCanCompleteASentence(fault: UsernameError, text: String) {
        #expect(fault.description == text)
    }

    @Test("Usernames are sorted by their bytes") func usernamesAreSortedByTheirBytes() throws {
        let names = try ["b", "a", "B", "_", "a-", "a0", "aa"].map { try Username($0) }
        #expect(names.sorted().map(\.text) == ["B", "_", "a", "a-", "a0", "aa", "b"])
    }

    @Test("Usernames that differ in case are different")
    func usernamesThatDifferInCaseAreDifferent() throws {
        #expect(try Username("alice") != Username("Alice"))
    }

    @Test(
        "A username is removed from its tag in any text",
        arguments: [
            ("no username:alice, please", "no username:, please"), ("username:alice", "username:"),
            ("username:alice.", "username:."), ("username:alice: no", "username:: no"),
            ("username:alice || username:bob", "username: || username:bob"),
            ("username:alice.b", "username:alice.b"), ("username:alice2", "username:alice2"),
            ("username:Alice", "username:Alice"), ("alice", "alice"), ("", ""),
            ("uusername:alice\"", "uusername:\""),
        ])
    func usernameIsRemovedFromItsTagInAnyText(text: String, expected: String) throws {
        let bytes = try Username("alice").untagged(Array(text.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}
