import CampaignCore
import Storage

extension PayloadKeyFile {
    /// The file beside a store; processes that would make it at once take turns by the store's lock.
    ///
    /// - Parameters:
    ///   - store: the store's file.
    ///   - ending: what its name has behind the store's.
    ///   - owner: whom it has to belong to.
    init(besideStoreAt store: String, ending: String = ".key", owner: UInt32) {
        self.init(at: store + ending, owner: owner) { () throws(StoreError) in
            guard let inode = try StoreInode.find(store, isWritable: true) else {
                throw .replaced(.store(path: store))
            }
            return try inode.waitForTurn()
        }
    }
}
