import CampaignCore
import Crypto

extension HandleDigest {
    /// The digest of a handle, as the device wrote it.
    ///
    /// One that is all hexadecimal digits is an APNs token, which the hub knows again in any case.
    init(of handle: String) {
        let isToken = handle.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        let text = isToken ? handle.uppercased() : handle
        self.init(bytes: Array(SHA256.hash(data: Array(text.utf8))))
    }
}
