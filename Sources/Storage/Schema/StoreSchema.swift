import GRDB

/// What the store's tables look like, as the steps that made them so.
///
/// A step is never changed once it was released; a new one is added.
enum StoreSchema {
    /// Marks the file as hubsend's (`PRAGMA application_id`): "hubs".
    static let applicationID = 0x6875_6273

    static let migrator: DatabaseMigrator = {
        // Each step leaves foreign keys whole, and checking a store of ten million rows takes minutes.
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("runs and deliveries", migrate: createRunsAndDeliveries)
        migrator.registerMigration("digests", migrate: addDigests)
        migrator.registerMigration("payload sizes", migrate: addPayloadSizes)
        return migrator
    }()
}
