import GRDB
import SQLiteDriver
import StoreConformance
import TestSupport
import Testing

@Suite(.bounded) struct EarlierRunsTests: StoreFileSuite {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Runs of the previous version can be continued")
    func runsOfThePreviousVersionCanBeContinued() async throws {
        let test = try StoreUnderTest { [path] in try SQLiteStore.open(at: path) }
        try await test.continueRunsOfTheVersionBefore {
            try DatabaseQueue(path: path).write {
                try $0.execute(sql: EarlierSchema.withoutLastStep)
            }
        }
    }
}
