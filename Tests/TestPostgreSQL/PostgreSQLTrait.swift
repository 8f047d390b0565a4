import Foundation
import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the suite if no PostgreSQL server is installed; with `CI` set, its tests run and fail.
    package static var postgreSQL: Self {
        .enabled(if: InstalledTool.mayNotBeLeftOut || PostgreSQLServer.isInstalled)
    }

    /// Skips the suite if PgBouncer is not installed.
    package static var pgBouncer: Self {
        .enabled(
            if: InstalledTool.mayNotBeLeftOut
                || FileManager.default.isExecutableFile(atPath: PgBouncer.program))
    }
}
