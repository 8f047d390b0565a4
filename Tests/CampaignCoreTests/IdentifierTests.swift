import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct IdentifierTests {
    @Test("A notification ID has 26 characters of a-z and 2-7")
    func notificationIDHas26CharactersOfAZAnd27() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let id = NotificationID.random(using: &generator)
            #expect(id.text.wholeMatch(of: /[a-z2-7]{26}/) != nil)
            #expect(NotificationID(id.text) == id)
        }
    }

    @Test("Notification IDs are unique") func notificationIDsAreUnique() {
        var generator = SeededGenerator(seed: 1)
        let ids = Set((0..<20_000).map { _ in NotificationID.random(using: &generator) })
        #expect(ids.count == 20_000)
    }

    @Test("Every character of an ID is random") func everyCharacterOfAnIDIsRandom() {
        var generator = SeededGenerator(seed: 2)
        let ids = (0..<2000).map { _ in Array(NotificationID.random(using: &generator).text) }
        for place in 0..<NotificationID.length {
            #expect(Set(ids.map { $0[place] }).count == 32)
        }
    }

    @Test(
        "A malformed notification ID is refused",
        arguments: [
            "", "a", "aaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "AAAAAAAAAAAAAAAAAAAAAAAAAA", "aaaaaaaaaaaaaaaaaaaaaaaaa1",
            "aaaaaaaaaaaaaaaaaaaaaaaaa ",
            "aaaaaaaaaaaaaaaaaaaaaaaaé", "../../../../etc/passwd/aaa",
        ])
    func malformedNotificationIDIsRefused(text: String) {
        #expect(NotificationID(text) == nil)
    }

    @Test("The placeholder of previews is a valid notification ID")
    func placeholderOfPreviewsIsAValidNotificationID() {
        #expect(NotificationID(NotificationID.placeholder.text) == NotificationID.placeholder)
        #expect(NotificationID.placeholder.text == "aaaaaaaaaaaaaaaaaaaaaaaaaa")
    }

    @Test(
        "A run ID begins with the start time",
        arguments: [
            (0, "19700101T000000Z-"), (1_796_115_600, "20261201T090000Z-"),
            (1_709_207_999.9, "20240229T115959Z-"),
        ] as [(Double, String)])
    func runIDBeginsWithTheStartTime(seconds: Double, time: String) {
        var generator = SeededGenerator(seed: 3)
        let start = Date(timeIntervalSince1970: seconds)
        let id = RunID.make(startingAt: start, using: &generator)
        #expect(id.text.hasPrefix(time))
        #expect(id.text.wholeMatch(of: /[0-9]{8}T[0-9]{6}Z-[a-z2-7]{6}/) != nil)
        #expect(RunID(id.text) == id)
    }

    @Test("Runs that start in the same second get different IDs")
    func runsThatStartInTheSameSecondGetDifferentIDs() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<100).map { _ in RunID.make(startingAt: .distantPast, using: &generator) }
        #expect(Set(ids).count > 98)
    }

    @Test("Run IDs sort by start time") func runIDsSortByStartTime() {
        var generator = SeededGenerator(seed: 4)
        let starts = stride(from: 0.0, to: 4e9, by: 12_345_678)
        let ids = starts.map {
            RunID.make(startingAt: Date(timeIntervalSince1970: $0), using: &generator)
        }
        #expect(ids == ids.sorted())
    }

    @Test(
        "A malformed run ID is refused",
        arguments: [
            "", "20261201T090000Z", "20261201T090000Z-abcde", "20261201T090000Z-abcdefg",
            "20261201T090000Z-abcde1", "20261201t090000Z-abcdef", "20261201T090000z-abcdef",
            "2026120ÄT09000Z-abcdef", "20261201T090000Z_abcdef", "2026-1201T09000Z-abcdef",
            "20261201T090000Z-abcdé",
        ])
    func malformedRunIDIsRefused(text: String) {
        #expect(RunID(text) == nil)
    }
}
