package import Storage

extension PostgreSQLStore {
    /// Leaves the space to the server.
    ///
    /// Partitions are dropped with their files, and the server's vacuum reuses the room of deleted
    /// rows. Shrinking files would lock them against everybody (`VACUUM FULL`), which is the
    /// operator's decision.
    package func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace {
        StoreSpace()
    }
}
