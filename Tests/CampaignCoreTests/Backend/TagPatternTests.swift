import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct TagPatternTests {
    @Test(arguments: [
        "username:alice", "USERNAME:*", "user*", "U*", "*", "From:bob", "fr*", "$InstallationId:x",
        "$*",
    ])
    func aPatternThatCouldMatchATagOfPeopleIsRefused(text: String) {
        #expect(throws: TagPatternFault.reserved) { try TagPattern(text) }
    }

    @Test(arguments: ["", "a b", "a,b", "a*b", "news**", String(repeating: "a", count: 121), "ä"])
    func whatIsNoTagIsRefused(text: String) {
        #expect(throws: TagPatternFault.notATag) { try TagPattern(text) }
    }

    @Test func aTagIsMatchedWhole() throws {
        let news = try TagPattern("news")
        #expect(news.matches("news"))
        for other in ["News", "newsroom", "news,username:bob", "news || username:bob", ""] {
            #expect(!news.matches(other), "\(other)")
        }
    }

    @Test func aStarStandsForAnyEnd() throws {
        let city = try TagPattern("city:*")
        #expect(city.matches("city:berlin"))
        #expect(city.matches("city:"))
        #expect(!city.matches("City:berlin"))
        #expect(!city.matches("city:a,username:bob"))
        #expect(!city.matches("city:" + String(repeating: "a", count: 116)))
    }
}
