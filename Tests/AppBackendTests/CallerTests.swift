import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct CallerTests {
    @Test("Names that differ only in case are different callers")
    func namesThatDifferOnlyInCaseAreDifferentCallers() throws {
        let lower = Caller(username: try Username("alice"), proof: .token)
        let upper = Caller(username: try Username("Alice"), proof: .token)
        #expect(lower != upper)
    }
}
