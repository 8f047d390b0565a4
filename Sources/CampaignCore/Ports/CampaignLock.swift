/// Keeps a second process away from a campaign; the lock dies with its process.
///
/// Storage implements it.
package protocol CampaignLock: Sendable {
    /// Takes the lock.
    ///
    /// - Returns: the lock, to be released; nil when another process has it.
    /// - Throws: when the system refuses it.
    func acquire(campaign: String) throws -> (any HeldCampaignLock)?
}

/// A lock that is held.
package protocol HeldCampaignLock: Sendable {
    /// Gives it back; further calls do nothing.
    func release()
}
