import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubNameTests {
    @Test(arguments: ["news", "a", "News-2_x.y", String(repeating: "h", count: 260)])
    func aNameIsOnePathSegment(text: String) throws {
        #expect(try HubName(text).rawValue == text)
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "a b", "a?b", "a#b", "a%2fb", "ä", "a\n",
        String(repeating: "h", count: 261),
        Secret.connectionString,
    ])
    func anythingElseIsRefusedWithoutRepeatingIt(text: String) throws {
        let error = #expect(throws: InvalidHubName.self) { try HubName(text) }
        #expect(!Secret.isIn(try #require(error).description))
    }
}
