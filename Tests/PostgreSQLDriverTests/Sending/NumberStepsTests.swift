import CampaignCore
import FoundationEssentials
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct NumberStepsTests {
    @Test("The steps of a search grow until enough people are found")
    func stepsOfASearchGrowUntilEnoughPeopleAreFound() {
        var steps: [Range<Int>] = []
        var limits: [Int] = []
        let found = NumberSteps.collect(10..<1_000, limit: 3) { step, limit in
            steps.append(step)
            limits.append(limit)
            // The numbers after the lower bound, up to and including the upper bound.
            return Array(
                [14, 40, 41, 900].filter { step.lowerBound < $0 && $0 <= step.upperBound })
        }
        #expect(found == [14, 40, 41])
        #expect(steps == [10..<13, 13..<25, 25..<73])
        #expect(limits == [3, 3, 2])
    }

    @Test("The last step of a search ends with the last person")
    func lastStepOfASearchEndsWithTheLastPerson() {
        var steps: [Range<Int>] = []
        let found: [Int] = NumberSteps.collect(0..<20, limit: 4) { step, _ in
            steps.append(step)
            return []
        }
        #expect(found.isEmpty)
        #expect(steps == [0..<4, 4..<20])
        let nothing: [Int] = NumberSteps.collect(5..<5, limit: 4) { _, _ in [1] }
        #expect(nothing.isEmpty)
    }

    @Test("A claimable person is found after many who cannot be claimed")
    func claimablePersonIsFoundAfterManyWhoCannotBeClaimed() async throws {
        let store = try await StoreOnServer().open()
        let run = Samples.run()
        let names = Samples.names(1_500)
        try await store.begin(run)
        try await store.store(Samples.notification(), of: run.id)
        try await store.append(
            names.enumerated().map { index, name in
                StagedRecipient(username: name, withheld: index < 1_498 ? [.apns] : [])
            }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
        let left = try await store.unclaimed(run.id, platform: .apns, after: 0, limit: 9)
        #expect(left.people == Array(names.suffix(2)))
        #expect(left.last == 1_500)
        for number in [1_499, 1_500] {
            let claims = try await store.claimNext(run.id, platform: .apns, limit: 1)
            #expect(claims.map(\.number) == [number])
        }
        #expect(try await store.claimNext(run.id, platform: .apns, limit: 1).isEmpty)
        try await store.record(
            [Samples.record(1_499, .apns, .ended(.accepted))], requests: 1, of: run.id)
        let interrupted = try await store.interrupted(run.id, platform: .apns, after: 0, limit: 1)
        #expect(interrupted.map(\.number) == [1_500])
    }
}
