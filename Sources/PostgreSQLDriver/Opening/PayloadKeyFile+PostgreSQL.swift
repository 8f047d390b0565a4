import CampaignCore
import Files
import Glibc
import Storage

extension FileLock: HeldCampaignLock {}

extension PayloadKeyFile {
    /// This host's copy of the key of a store on a server; each host needs the same.
    init(in folder: String) {
        let lock = Path.file("keys.lock", in: folder)
        self.init(at: Path.file("payload.key", in: folder), owner: geteuid()) {
            () throws(StoreError) in
            try StorePlace.payloadKey(path: lock).access { () throws(SystemError) in
                try Folder.make(folder)
                return try FileLock.wait(for: 0, of: OpenFile(lock, for: .locking))
            }
        }
    }
}
