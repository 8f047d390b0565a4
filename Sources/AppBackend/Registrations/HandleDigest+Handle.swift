import CampaignCore
import Crypto

extension HandleDigest {
    /// The digest of a handle, byte for byte as the device wrote it.
    init(of handle: String) {
        self.init(bytes: Array(SHA256.hash(data: Array(handle.utf8))))
    }
}
