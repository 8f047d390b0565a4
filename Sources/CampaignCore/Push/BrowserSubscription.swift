#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A browser's push address and encryption keys, which together are its handle.
package struct BrowserSubscription: Hashable, Sendable {
    /// The maximum length of a key, in characters; real keys have 87 and 22 characters.
    private static let longestKey = 256

    package let endpoint: String
    /// The public key, in base64url (RFC 8291, section 3.1).
    package let p256dh: String
    /// The authentication secret, in base64url (RFC 8291, section 3.2).
    package let auth: String

    /// Reads a handle in JSON, as browsers (W3C Push API) or the hub write it.
    ///
    /// `{"endpoint":…,"keys":{"p256dh":…,"auth":…}}` or `{"endpoint":…,"p256dh":…,"auth":…}`; the
    /// endpoint must be https.
    package init?(handle: String) {
        guard handle.first == "{" else { return nil }
        let written: Written
        do {
            written = try JSONDecoder().decode(Written.self, from: Data(handle.utf8))
        } catch {
            return nil  // The text is a different kind of handle, or is malformed.
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

    /// Whether text is base64, in either alphabet.
    private static func isKey(_ text: String) -> Bool {
        1...longestKey ~= text.utf8.count
            && text.utf8.allSatisfy { $0.isAlphanumeric(or: "-_+/=") }
    }
}

extension BrowserSubscription: CustomStringConvertible, CustomReflectable {
    /// Does not show the parts, because anybody who has them can push to the browser.
    package var description: String { "BrowserSubscription(hidden)" }

    /// Hides the parts from `dump` too.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

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
