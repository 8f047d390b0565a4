/// A lock that is held.
package protocol HeldCampaignLock: Sendable {
    /// Gives it back; further calls do nothing.
    func release()
}
