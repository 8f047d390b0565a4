package import CampaignCore

/// Keeps a second process away from a campaign of a store.
///
/// The lock is in the file `<store>.lock` (mode 0600) and dies with its process.
package struct StoreLock: CampaignLock {
    private let file: LockFile

    /// - Parameter path: the store's file; neither it nor its folder need exist.
    package init(besideStoreAt path: String) {
        self.file = LockFile(besideStoreAt: path)
    }

    package func acquire(campaign: String) throws -> (any HeldCampaignLock)? {
        try file.acquire(campaign: campaign)
    }
}
