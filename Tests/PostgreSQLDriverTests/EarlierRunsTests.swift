import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct EarlierRunsTests {
    @Test("Runs of the previous version can be continued")
    func runsOfThePreviousVersionCanBeContinued() async throws {
        let server = try await StoreOnServer()
        let test = try StoreUnderTest { try server.open() }
        try await test.continueRunsOfTheVersionBefore {
            try await server.execute(EarlierSchema.withoutLastStepOnServer)
        }
    }
}
