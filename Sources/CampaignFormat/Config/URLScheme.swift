enum URLScheme {
    enum Refusal: Hashable {
        case notAScheme
        /// The content can be read and changed in transit.
        case unprotected
        /// The address runs code or opens content on the device.
        case unsafe

        func message(about scheme: String) -> DiagnosticMessage {
            switch self {
            case .notAScheme: "\"\(scheme.shortened)\" is not a URL scheme."
            case .unprotected, .unsafe: "The scheme \"\(scheme)\" cannot be allowed."
            }
        }

        func help(about scheme: String) -> DiagnosticMessage {
            switch self {
            case .notAScheme:
                let meant = String(scheme.lowercased().prefix { $0 != ":" })
                let example = URLScheme.isScheme(meant) ? meant : "myapp"
                return "Write the part before the colon in lower case, such as \(example)."
            case .unprotected:
                return
                    "Its content can be read and changed in transit; use https, which is always allowed."
            case .unsafe: return "Its addresses run code or open content on the device."
            }
        }
    }

    private static let longest = 64
    private static let unprotected: Set = ["http", "ws", "ftp"]
    private static let unsafe: Set = [
        "javascript", "vbscript", "data", "file", "content", "blob", "filesystem", "about",
        "intent", "jar", "view-source",
    ]

    /// Accepts only lower case (RFC 3986, section 3.1).
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

    /// nil if a config can allow it.
    static func refusal(of scheme: String) -> Refusal? {
        guard isScheme(scheme) else { return .notAScheme }
        if unprotected.contains(scheme) { return .unprotected }
        return unsafe.contains(scheme) ? .unsafe : nil
    }
}
