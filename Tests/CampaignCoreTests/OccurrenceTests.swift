import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct OccurrenceTests {
    @Test(
        "A key with only allowed characters is an occurrence key",
        arguments: [
            "a", "2026-12", "2026-12-01T09:00:00+01:00", String(repeating: "k", count: 64),
        ])
    func keyWithOnlyAllowedCharactersIsAnOccurrenceKey(key: String) throws {
        #expect(try #require(Occurrence(key: key)).text == key)
    }

    @Test(
        "An occurrence key with other characters is refused",
        arguments: ["", "a b", "a/b", "é", "a\n", String(repeating: "k", count: 65)])
    func occurrenceKeyWithOtherCharactersIsRefused(key: String) {
        #expect(Occurrence(key: key) == nil)
    }

    @Test("Each repeated send and each rehearsal has its own occurrence")
    func eachRepeatedSendAndEachRehearsalHasItsOwnOccurrence() {
        let run = RunID(checked: "20261201T090000Z-abcdef")
        let all: Set = [Occurrence.once, .again(run), .rehearsal(run)]
        #expect(all.count == 3)
        #expect(Occurrence.again(run).text == "again-20261201T090000Z-abcdef")
        #expect(all.allSatisfy { Occurrence(key: $0.text) == $0 })
    }

    @Test("The occurrence of a fallback names the run that it follows")
    func occurrenceOfAFallbackNamesTheRunThatItFollows() {
        let run = RunID(checked: "20261201T090000Z-abcdef")
        let fallback = Occurrence.fallback(of: run, number: 12)
        #expect(fallback.text == "fallback-20261201T090000Z-abcdef-12")
        #expect(fallback.fallbackOf == run)
        #expect(!fallback.isFollowUp && !fallback.isAgain)
        for text in ["once", "again-\(run)", "fallback-\(run)", "fallback-\(run)-x", "fallback-1"] {
            #expect(Occurrence(checked: text).fallbackOf == nil, "\(text)")
        }
    }
}
