import CampaignCore
import Files
import Glibc
import Storage

/// This host's key files of a store on a server.
struct KeyFiles {
    private let folder: String

    init(in folder: String) {
        self.folder = folder
    }

    /// Each host needs the same.
    var payloadKey: PayloadKeyFile { file("payload.key") }

    private func file(_ name: String) -> PayloadKeyFile {
        let lock = Path.file("keys.lock", in: folder)
        return PayloadKeyFile(at: Path.file(name, in: folder), owner: geteuid()) {
            [folder] () throws(StoreError) in
            try StorePlace.payloadKey(path: lock).access { () throws(SystemFault) in
                try Folder.make(folder)
                return HeldFileLock(
                    try FileLock.wait(for: 0, of: OpenFile(lock, for: .locking)))
            }
        }
    }
}

private final class HeldFileLock: HeldCampaignLock {
    private let lock: FileLock

    init(_ lock: FileLock) {
        self.lock = lock
    }

    func release() {
        lock.release()
    }
}
