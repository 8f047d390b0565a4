import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
    /// Leaves the tests of a suite out where no PostgreSQL server is installed; with `CI` set they run all the same, and fail.
    package static var postgreSQL: Self {
        .enabled(if: InstalledTool.mayNotBeLeftOut || PostgreSQLServer.isInstalled)
    }
}
