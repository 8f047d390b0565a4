/// Lets only one process, on any host, work on a campaign; the lock ends with the process.
///
/// If another process may have taken the lock, for example after a broken connection, the store's
/// calls throw until the lock is released.
package protocol CampaignLock: Sendable {
    /// Returns nil if another process has the lock.
    func acquire(campaign: String) async throws -> (any HeldCampaignLock)?
}

/// A lock that is held; also released with its last reference.
package protocol HeldCampaignLock: Sendable {
    /// Releases the lock without waiting; further calls do nothing.
    func release()
}
