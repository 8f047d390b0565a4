/// Keeps a second process away from a campaign, on any host; ends with its process.
///
/// If another process may have taken over, for example after a broken connection, the store's calls
/// throw until the lock is released.
package protocol CampaignLock: Sendable {
    /// nil if another process has it.
    func acquire(campaign: String) async throws -> (any HeldCampaignLock)?
}

/// Also released with its last reference.
package protocol HeldCampaignLock: Sendable {
    /// Does not wait; further calls do nothing.
    func release()
}
