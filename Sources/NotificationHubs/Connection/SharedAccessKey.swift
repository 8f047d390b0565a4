/// The secret half of a shared access rule, in a wrapper that no description or dump can open.
///
/// The text looks like base64 but is never decoded: its UTF-8 bytes are the key (reference: section
/// 2).
struct SharedAccessKey: Sendable {
    /// The key's bytes, for signing.
    let bytes: [UInt8]

    /// The key as it stands in the connection string, for hiding it where a hub repeats it.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Wraps a key.
    ///
    /// - Parameter text: the value of `SharedAccessKey` in a connection string.
    init(_ text: String) {
        bytes = Array(text.utf8)
    }
}

extension SharedAccessKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    var description: String { "(hidden)" }
    var debugDescription: String { "(hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
