import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct ReachEstimateTests {
    @Test("Figures are exact if everybody was looked up")
    func figuresAreExactIfEverybodyWasLookedUp() {
        let reach = ReachEstimate(
            people: 1_000, asked: 1_000, platforms: [.apns, .fcm], found: [.apns: 600],
            without: 312)
        #expect(!reach.isSample)
        #expect(reach.people(on: .apns).bounds == 600...600)
        #expect(reach.people(on: .fcm).count == 0)
        #expect(reach.peopleWithoutDevice.count == 312)
        #expect(reach.peopleWithoutDevice.bounds == 312...312)
    }

    /// Wilson's interval for 100 of 200 is 0.4314 to 0.5686; for 0 of 200 it is 0 to 0.01885.
    @Test("The bounds for a sample are those of the Wilson interval")
    func boundsForASampleAreThoseOfTheWilsonInterval() {
        let reach = ReachEstimate(
            people: 100_000, asked: 200, platforms: [.apns], found: [.apns: 100], without: 0)
        let found = reach.people(on: .apns)
        #expect(found.count == 50_000)
        #expect(abs(found.bounds.lowerBound - 43_136) <= 2)
        #expect(abs(found.bounds.upperBound - 56_864) <= 2)
        let none = reach.peopleWithoutDevice
        #expect(none.bounds.lowerBound == 0)
        #expect(abs(none.bounds.upperBound - 1_885) <= 2)
    }

    @Test(
        "The bounds are consistent with the people who were looked up",
        arguments: [0, 1, 100, 199, 200])
    func boundsAreConsistentWithThePeopleWhoWereLookedUp(found: Int) {
        let reach = ReachEstimate(
            people: 201, asked: 200, platforms: [.apns], found: [.apns: found], without: 0)
        let people = reach.people(on: .apns)
        #expect(people.bounds.lowerBound >= found)
        #expect(people.bounds.upperBound <= found + 1)
        #expect(people.bounds.contains(people.count))
    }

    @Test("An empty audience reaches nobody") func emptyAudienceReachesNobody() {
        let reach = ReachEstimate(people: 0, asked: 0, platforms: [.apns], found: [:], without: 0)
        #expect(reach.people(on: .apns).bounds == 0...0)
    }
}
