package import Storage

extension PostgreSQLStore {
    /// Leaves the space to the server.
    ///
    /// A large run's partitions are dropped with their files, and where rows were deleted, the server's own vacuum makes room for those
    /// that come next. Making files smaller would lock them against everybody (`VACUUM FULL`), which is for whoever operates the
    /// server to decide.
    package func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace {
        StoreSpace()
    }
}
