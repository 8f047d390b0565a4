import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct LocalHubRuleTests {
    @Test("A rules file has one rule per line and can contain comments")
    func rulesFileHasOneRulePerLineAndCanContainComments() throws {
        let rules = try LocalHubRule.read(
            "# ours\nbackend\tk1 Listen,send\r\n\nall  k2 manage\n", from: "KEYS")
        #expect(
            rules == [
                LocalHubRule(name: "backend", key: "k1", claims: [.listen, .send]),
                LocalHubRule(name: "all", key: "k2", claims: [.manage]),
            ])
    }

    @Test(
        "An invalid line is reported by number, without its key",
        arguments: [
            ("a k3y", 1, "must consist of a name"),
            ("a k3y everything", 1, "has a right other than"),
            ("a k3y listen,", 1, "has a right other than"),
            ("a k3y listen\n\n# more\nc", 4, "must consist of a name"),
            ("a b listen\na k3y send", 2, "has the same name as an earlier line"),
        ])
    func invalidLineIsReportedByNumberWithoutItsKey(text: String, line: Int, fault: String) {
        #expect {
            try LocalHubRule.read(text, from: "KEYS")
        } throws: { error in
            "\(error)".hasPrefix("Line \(line) of the local hub's keys (KEYS) \(fault)")
                && !"\(error)".contains("k3y")
        }
    }
}
