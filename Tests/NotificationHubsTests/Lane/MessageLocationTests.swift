import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct MessageLocationTests {
    private func id(_ location: String) -> String? {
        MessageLocation.lastSegment(of: Array(location.utf8).span)
    }

    @Test(
        "The fast and the general reader of Location give the same results",
        arguments: [
            "https://hub.example/news/messages/id-1?api-version=2020-06", "/a/b#c", "/a/b?c/d", "a",
            "/", "", "/a/", "https://hub.example", "//", "/a b", "/a\u{7F}", "/ä", "?/a", "/a?",
            "/" + String(repeating: "x", count: 200), "/" + String(repeating: "x", count: 201),
        ])
    func fastAndTheGeneralReaderOfLocationGiveTheSameResults(location: String) {
        let answer = HubAnswer(status: 201, headers: ["Location": location], body: [])
        #expect(id(location) == answer.locationID)
    }

    @Test("Both readers of Location give the same results for random input")
    func bothReadersOfLocationGiveTheSameResultsForRandomInput() {
        var random = SeededRandom(seed: 7)
        let letters = Array("ab/?#:% ~\u{7F}\t")
        for _ in 0..<3_000 {
            let location = String(
                (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    letters[Int.random(in: 0..<letters.count, using: &random)]
                })
            let answer = HubAnswer(status: 201, headers: ["Location": location], body: [])
            #expect(id(location) == answer.locationID)
        }
    }

    @Test("Only the first Location header is used") func onlyTheFirstLocationHeaderIsUsed() {
        var parser = AnswerParser()
        let text = "HTTP/1.1 201 C\r\nLocation: none\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"
        #expect(parser.read(Array(text.utf8).span) == .complete)
        #expect(parser.messageID == nil)
    }
}
