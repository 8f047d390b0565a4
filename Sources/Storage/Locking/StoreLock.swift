package import CampaignCore

/// Keeps a second process away from a campaign of a store, whatever name each of them has for the store.
///
/// The lock is in the store's file itself and dies with its process.
package struct StoreLock: CampaignLock {
    private let path: String

    /// - Parameter path: the store's file.
    package init(ofStoreAt path: String) {
        self.path = path
    }

    package func acquire(campaign: String) throws -> (any HeldCampaignLock)? {
        guard let inode = try StoreInode.find(path, isWritable: true) else {
            throw StoreError.replaced(.store(path: path))
        }
        return try inode.take(campaign: campaign)
    }

    /// Whether a process works on a campaign; asking keeps nobody from beginning to.
    ///
    /// - Throws: ``StoreError`` when the file cannot be opened.
    package func isHeld(campaign: String) throws -> Bool {
        try StoreInode.find(path, isWritable: false)?.isHeld(campaign: campaign) ?? false
    }
}

extension HeldStoreLock: HeldCampaignLock {}
