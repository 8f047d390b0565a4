/// Keeps a second process away from a campaign, on this host or another; the lock dies with its process.
///
/// Storage implements it. Who holds a lock that another process may have by now, as the connection to the server broke that kept
/// it, can write nothing any more: the store's calls throw until it is released.
package protocol CampaignLock: Sendable {
    /// Takes the lock.
    ///
    /// - Returns: the lock, to be released; nil when another process has it.
    /// - Throws: when the system refuses it.
    func acquire(campaign: String) async throws -> (any HeldCampaignLock)?
}

/// A lock that is held; it is given back, too, when its last reference goes.
package protocol HeldCampaignLock: Sendable {
    /// Gives it back, and waits for nobody; further calls do nothing.
    func release()
}
