import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct AnswerBudgetTests {
    private static func holder(_ user: Username, _ address: String) -> AnswerBudget.Holder {
        AnswerBudget.Holder(user: user, address: LimitedAddress(IPAddress(address)))
    }

    @Test("One person can use at most an eighth of the response budget")
    func onePersonCanUseAtMostAnEighthOfTheResponseBudget() throws {
        let budget = AnswerBudget(limit: 800)
        let alice = Self.holder(.alice, "192.0.2.1")
        let held = try [budget.acquire(60, for: alice), budget.acquire(40, for: alice)]
        #expect(throws: AnswerBudgetError.spentByPerson) {
            try budget.acquire(1, for: Self.holder(.alice, "192.0.2.2"))
        }
        _ = try budget.acquire(100, for: Self.holder(.bob, "192.0.2.1"))
        withExtendedLifetime(held) {}
    }

    @Test("One address can use at most half of the budget, even if many people share it")
    func oneAddressCanUseAtMostHalfOfTheBudgetEvenIfManyPeopleShareIt() throws {
        let budget = AnswerBudget(limit: 800)
        let held = try (1...4).map {
            try budget.acquire(
                100, for: Self.holder(Username(checked: "user-\($0)"), "2001:db8::\($0)"))
        }
        #expect(throws: AnswerBudgetError.spentByAddress) {
            try budget.acquire(100, for: Self.holder(.alice, "2001:db8::ffff"))
        }
        _ = try budget.acquire(100, for: Self.holder(.alice, "2001:db8:1::1"))
        withExtendedLifetime(held) {}
    }

    @Test("A response larger than its share is sent while no other is in flight")
    func responseLargerThanItsShareIsSentWhileNoOtherIsInFlight() throws {
        let budget = AnswerBudget(limit: 800)
        let alice = Self.holder(.alice, "192.0.2.1")
        var held: AnswerPermit? = try budget.acquire(600, for: alice)
        #expect(throws: AnswerBudgetError.spentByPerson) { try budget.acquire(1, for: alice) }
        #expect(throws: AnswerBudgetError.spent) {
            try budget.acquire(201, for: Self.holder(.bob, "192.0.2.2"))
        }
        withExtendedLifetime(held) {}
        held = nil
        _ = try budget.acquire(800, for: alice)
        #expect(throws: AnswerBudgetError.spent) { try budget.acquire(801, for: alice) }
    }
}
