import Crypto
import Foundation

/// The push subscription of a simulated browser: an endpoint and two keys.
///
/// The handle in a devices file is the whole subscription as JSON (W3C, Push API, section 8.3), or
/// only the endpoint.
struct BrowserSubscription {
    let channel: PushChannel

    /// Reads a JSON subscription or an endpoint; missing parts are derived from the seed, so they
    /// are the same each time the hub starts.
    init(handle: String?, seed: String) {
        let members = handle.flatMap { JSONValue.read($0.utf8)?.members }
        let keys = members?.object("keys") ?? members
        let endpoint = members?.string("endpoint") ?? handle
        channel = .browser(
            endpoint: endpoint ?? Self.madeUpEndpoint(seed),
            p256dh: keys?.string("p256dh") ?? Self.madeUpKey(seed),
            auth: keys?.string("auth") ?? Self.madeUpSecret(seed))
    }

    /// The `pushChannel` of the installation.
    var pushChannel: JSONValue {
        guard case .browser(let endpoint, let p256dh, let auth) = channel else {
            return .string(channel.handle)
        }
        return .object([
            "endpoint": .string(endpoint), "p256dh": .string(p256dh), "auth": .string(auth),
        ])
    }

    private static func madeUpEndpoint(_ seed: String) -> String {
        "https://hubsend.push.invalid/" + encoded(digest(seed, "endpoint").prefix(32))
    }

    /// Derives a fake uncompressed P-256 public key: 65 bytes, beginning with 4 (RFC 8291,
    /// section 3.1).
    private static func madeUpKey(_ seed: String) -> String {
        encoded([4] + digest(seed, "p256dh"))
    }

    /// Derives a fake authentication secret of 16 bytes (RFC 8291, section 3.2).
    private static func madeUpSecret(_ seed: String) -> String {
        encoded(digest(seed, "auth").prefix(16))
    }

    private static func digest(_ seed: String, _ purpose: String) -> [UInt8] {
        Array(SHA512.hash(data: Data("\(seed)\n\(purpose)".utf8)))
    }

    /// URL-safe Base64 without padding (RFC 4648, section 5).
    private static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }
}
