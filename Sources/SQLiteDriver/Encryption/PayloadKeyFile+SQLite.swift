import CampaignCore
import Storage

extension PayloadKeyFile {
    /// The key file next to a store; the store's lock serialises processes that create it.
    init(besideStoreAt store: String, ending: String = ".key", owner: UInt32) {
        self.init(at: store + ending, owner: owner) { () throws(StoreError) in
            guard let inode = try StoreInode.find(store, isWritable: true) else {
                throw .replaced(.store(path: store))
            }
            return try inode.waitForTurn()
        }
    }
}

extension PayloadKeyring {
    convenience init(besideStoreAt path: String, options: StoreOptions) {
        self.init(
            of: .store(path: path), source: options.payloadKey,
            file: PayloadKeyFile(besideStoreAt: path, owner: options.owner),
            made: options.payloadKeyMade)
    }
}
