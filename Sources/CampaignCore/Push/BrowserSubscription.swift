#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a browser is reached, and the keys with which pushes to it are encrypted: its handle has three parts where
/// those of other devices have one.
package struct BrowserSubscription: Hashable, Sendable {
    /// The longest of the keys, in bytes; those in use have 87 and 22.
    private static let longestKey = 256

    /// The address at the browser's push service.
    package let endpoint: String
    /// The browser's public key, in base64 for addresses (RFC 8291, section 3.1).
    package let p256dh: String
    /// Its authentication secret, likewise (RFC 8291, section 3.2).
    package let auth: String

    /// Reads a subscription out of a handle.
    ///
    /// - Parameter handle: a subscription in JSON, as browsers write it: `{"endpoint":…,"keys":{"p256dh":…,"auth":…}}` (W3C, Push
    ///   API), or as the hub does: `{"endpoint":…,"p256dh":…,"auth":…}`. nil is given back for anything else, such as an
    ///   endpoint that is not https.
    package init?(handle: String) {
        guard handle.first == "{" else { return nil }
        let written: Written
        do {
            written = try JSONDecoder().decode(Written.self, from: Data(handle.utf8))
        } catch {
            return nil  // It is the handle of another device, or none at all.
        }
        guard let p256dh = written.keys?.p256dh ?? written.p256dh,
            let auth = written.keys?.auth ?? written.auth,
            Self.isKey(p256dh), Self.isKey(auth),
            written.endpoint.lowercased().hasPrefix("https://"),
            written.endpoint.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        endpoint = written.endpoint
        self.p256dh = p256dh
        self.auth = auth
    }

    /// Whether a text can be a key: base64 in either alphabet.
    private static func isKey(_ text: String) -> Bool {
        1...longestKey ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }
}

extension BrowserSubscription: CustomStringConvertible, CustomReflectable {
    /// What it is, and none of its parts: whoever has them can push to the browser.
    package var description: String { "BrowserSubscription(hidden)" }

    /// No children, so that `dump` shows none of its parts either.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A subscription as it is written.
private struct Written: Decodable {
    struct Keys: Decodable {
        let p256dh: String
        let auth: String
    }

    let endpoint: String
    let keys: Keys?
    let p256dh: String?
    let auth: String?
}
