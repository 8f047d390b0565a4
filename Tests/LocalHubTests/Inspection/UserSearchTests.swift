import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct UserSearchTests {
    @Test(
        arguments: [
            ("alice", "ALICE", true), ("alice", "lic", true), ("alice", "x", false),
            ("al", "alice", false), ("", "a", false), ("a.B_c@d", ".b_C@", true),
            ("Zoë", "ZOË", true), ("Zoë", "oe", false), ("ZOË", "zo", true), ("[", "{", false),
            ("aab", "ab", true), ("K\u{212A}", "k", true),
        ])
    func namesAreFoundByAPartWithoutRegardToCase(name: String, part: String, isFound: Bool) {
        #expect(UserSearch(part).matches(tags: ["username:" + name]) == isFound)
    }

    @Test func onlyUsersAreFound() {
        func matches(_ tag: String, _ part: String) -> Bool {
            UserSearch(part).matches(
                Registration(id: "1", platform: .apns, channel: .handle("h"), tags: ["x", tag]))
        }
        #expect(matches("username:alice", "alice"))
        #expect(matches("$UserId:{alice}", "LICE"))
        #expect(!matches("username:alice", "user"))
        #expect(!matches("$UserId:{alice}", "}"))
        #expect(!matches("$InstallationId:{alice}", "alice"))
        #expect(!matches("alice", "alice"))
        #expect(!matches("$UserId:{alice", "alice"))
        #expect(!matches("username:", "u"))
    }
}
