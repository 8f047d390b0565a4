import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@Suite(.bounded, .postgreSQL) struct EarlierRunsTests {
    @Test func runsOfTheVersionBeforeAreContinued() async throws {
        let server = try await StoreOnServer()
        let test = try StoreUnderTest { try server.open() }
        try await test.continueRunsOfTheVersionBefore {
            try await server.execute(EarlierSchema.withoutLastStepOnServer)
        }
    }
}
