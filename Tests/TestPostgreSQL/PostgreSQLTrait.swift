import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
    /// Skips the suite where no PostgreSQL server is installed; with `CI` set its tests run and
    /// fail.
    package static var postgreSQL: Self {
        .enabled(if: InstalledTool.mayNotBeLeftOut || PostgreSQLServer.isInstalled)
    }
}
