import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct CallerTests {
    @Test func namesThatDifferInCaseAreTwoCallers() throws {
        let lower = Caller(username: try Username("alice"), proof: .token)
        let upper = Caller(username: try Username("Alice"), proof: .token)
        #expect(lower != upper)
    }
}
