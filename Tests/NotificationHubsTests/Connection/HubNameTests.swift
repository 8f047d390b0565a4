import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubNameTests {
    @Test(
        "A hub name is a single path segment",
        arguments: ["news", "a", "News-2_x.y", String(repeating: "h", count: 260)])
    func hubNameIsASinglePathSegment(text: String) throws {
        #expect(try HubName(text).rawValue == text)
    }

    @Test(
        "An invalid hub name is refused without being quoted",
        arguments: [
            "", ".", "..", "a/b", "a b", "a?b", "a#b", "a%2fb", "ä", "a\n",
            String(repeating: "h", count: 261),
            Secret.connectionString,
        ])
    func invalidHubNameIsRefusedWithoutBeingQuoted(text: String) throws {
        let error = #expect(throws: InvalidHubName.self) { try HubName(text) }
        #expect(!Secret.isIn(try #require(error).description))
    }
}
