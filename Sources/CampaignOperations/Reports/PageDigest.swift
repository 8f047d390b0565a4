import Crypto
import FoundationEssentials

/// What a page's policy names its own style and script by (CSP Level 3, section 2.3.1).
enum PageDigest {
    /// SHA-256 of a text in base64.
    static func base64(_ text: String) -> String {
        Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString()
    }
}
