import CampaignCore
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct ForgottenPeopleTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let bob = Username(checked: "bob")

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    private func plan(
        _ names: [String], for choice: PeopleChoice = .all
    ) async throws -> PlannedAudience {
        try await CampaignPlanner(ledger: store).plan(
            TestBench.campaign(),
            audience: ListedAudience(named: ListedAudience.people(names), excluded: []),
            sorter: try TestBench.sorter(), for: choice, now: TestBench.start)
    }

    @Test("Forgotten people are left out in the same way as excluded people")
    func forgottenPeopleAreLeftOutInTheSameWayAsExcludedPeople() async throws {
        _ = try await store.forget(bob, at: TestBench.start)
        let planned = try await plan(["alice", "bob", "carol"])
        #expect(planned.plan.counts == AudienceCounts(named: 3, excluded: 1, final: 2))
        let people = try await planned.people.page(after: 0, limit: 9)
        #expect(people.map(\.username.text) == ["alice", "carol"])
    }

    @Test("If nobody has been forgotten, nobody is left out")
    func ifNobodyHasBeenForgottenNobodyIsLeftOut() async throws {
        let planned = try await plan(["alice", "bob"])
        #expect(planned.plan.counts == AudienceCounts(named: 2, final: 2))
    }

    @Test("A rehearsal to a forgotten person or tester is refused")
    func rehearsalToAForgottenPersonOrTesterIsRefused() async throws {
        let rehearsal = Rehearsal(people: [bob], testers: [bob])
        #expect(try await plan(["alice"], for: .rehearsal(rehearsal)).plan.counts.final == 1)
        _ = try await store.forget(bob, at: TestBench.start)
        for names in [["alice"], ["alice", "bob"]] {
            await #expect(throws: RehearsalError.strangers([bob])) {
                try await plan(names, for: .rehearsal(rehearsal))
            }
        }
    }
}
