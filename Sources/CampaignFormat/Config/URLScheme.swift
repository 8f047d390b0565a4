/// What stands before the colon of an address, such as `https` or an app's own `myapp`.
enum URLScheme {
    /// Why a config cannot allow a scheme.
    enum Refusal: Hashable {
        /// The text is not a scheme.
        case notAScheme
        /// Content under this scheme can be read and changed on its way.
        case unprotected
        /// Addresses of this scheme run code, or open what is on the device.
        case unsafe

        /// What is wrong with a text that a config lists as a scheme.
        func message(about scheme: String) -> DiagnosticMessage {
            switch self {
            case .notAScheme: "\"\(scheme.shortened)\" is not a URL scheme."
            case .unprotected, .unsafe: "The scheme \"\(scheme)\" cannot be allowed."
            }
        }

        /// What to do about it, or why it is so.
        func help(about scheme: String) -> DiagnosticMessage {
            switch self {
            case .notAScheme:
                let meant = String(scheme.lowercased().prefix { $0 != ":" })
                let example = URLScheme.isScheme(meant) ? meant : "myapp"
                return "Write what stands before the colon, in lower case, such as \(example)."
            case .unprotected:
                return
                    "What it leads to can be read and changed on its way; use https, which is always allowed."
            case .unsafe: return "Its addresses run code, or open what is on the device."
            }
        }
    }

    private static let longest = 64
    private static let unprotected: Set = ["http", "ws", "ftp"]
    private static let unsafe: Set = [
        "javascript", "vbscript", "data", "file", "content", "blob", "filesystem", "about",
        "intent", "jar", "view-source",
    ]

    /// Whether a text is a scheme in lower case (RFC 3986, section 3.1).
    static func isScheme(_ text: String) -> Bool {
        guard (1...longest).contains(text.utf8.count), let first = text.utf8.first,
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
        else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "0"..."9", "+", "-", ".": true
            default: false
            }
        }
    }

    /// Why a config cannot allow a scheme; nil when it can.
    static func refusal(of scheme: String) -> Refusal? {
        guard isScheme(scheme) else { return .notAScheme }
        if unprotected.contains(scheme) { return .unprotected }
        return unsafe.contains(scheme) ? .unsafe : nil
    }
}
