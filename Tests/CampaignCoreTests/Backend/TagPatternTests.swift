import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct TagPatternTests {
    @Test(
        "A pattern that could match a username tag is refused",
        arguments: [
            "username:alice", "USERNAME:*", "user*", "U*", "*", "From:bob", "fr*",
            "$InstallationId:x",
            "$*",
        ])
    func patternThatCouldMatchAUsernameTagIsRefused(text: String) {
        #expect(throws: TagPatternError.reserved) { try TagPattern(text) }
    }

    @Test(
        "An invalid tag is refused",
        arguments: ["", "a b", "a,b", "a*b", "news**", String(repeating: "a", count: 121), "ä"])
    func invalidTagIsRefused(text: String) {
        #expect(throws: TagPatternError.notATag) { try TagPattern(text) }
    }

    @Test("A pattern must match the whole tag") func patternMustMatchTheWholeTag() throws {
        let news = try TagPattern("news")
        #expect(news.matches("news"))
        for other in ["News", "newsroom", "news,username:bob", "news || username:bob", ""] {
            #expect(!news.matches(other), "\(other)")
        }
    }

    @Test("A trailing star matches any ending") func trailingStarMatchesAnyEnding() throws {
        let city = try TagPattern("city:*")
        #expect(city.matches("city:berlin"))
        #expect(city.matches("city:"))
        #expect(!city.matches("City:berlin"))
        #expect(!city.matches("city:a,username:bob"))
        #expect(!city.matches("city:" + String(repeating: "a", count: 116)))
    }
}
