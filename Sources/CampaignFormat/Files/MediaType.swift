import Files

/// The media type of a payload file, from its first bytes and its extension.
struct MediaType: Hashable, Sendable {
    let name: String
    /// The type of the content if the extension does not match it.
    let contradiction: String?

    /// How many bytes are searched for an SVG element: enough for an XML declaration, a document
    /// type and a comment or two.
    private static let longestPrologue = 1_024
    private static let byExtension = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "webp": "image/webp", "heic": "image/heic", "avif": "image/avif", "svg": "image/svg+xml",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "wav": "audio/wav", "mp4": "video/mp4",
        "pdf": "application/pdf", "txt": "text/plain", "html": "text/html", "htm": "text/html",
        "json": "application/json",
    ]

    /// `bytes` may be only the beginning of the file.
    init(path: String, bytes: [UInt8]) {
        let expected = Self.expected(of: path)
        let found = Self.byContent(bytes)
        let isTextExpected = expected.map { $0.hasPrefix("text/") || $0.hasSuffix("/json") } ?? true
        self.name = found ?? expected ?? "application/octet-stream"
        switch (expected, found) {
        case (let expected?, let found?) where expected != found: contradiction = found
        case (let expected?, nil) where !isTextExpected && Self.hasSignature(expected):
            contradiction = "something else"
        default: contradiction = nil
        }
    }

    static func isKnown(path: String) -> Bool { expected(of: path) != nil }

    private static func expected(of path: String) -> String? {
        let name = Path.name(of: path) ?? ""
        let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() }
        return suffix.flatMap { byExtension[$0] }
    }

    /// MP3 files can begin in different ways.
    private static func hasSignature(_ type: String) -> Bool { type != "audio/mpeg" }

    private static func byContent(_ bytes: [UInt8]) -> String? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            return "image/png"
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if has("GIF87a") || has("GIF89a") { return "image/gif" }
        if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
        if has("RIFF"), has("WAVE", at: 8) { return "audio/wav" }
        if has("ftyp", at: 4) { return byBrand(bytes.dropFirst(8).prefix(4)) }
        if has("%PDF-") { return "application/pdf" }
        if has("ID3") { return "audio/mpeg" }
        return isDrawing(bytes) ? "image/svg+xml" : nil
    }

    /// A `ftyp` box (ISO/IEC 14496-12, section 4.3); most brands are videos.
    private static func byBrand(_ brand: some Sequence<UInt8>) -> String {
        switch String(decoding: Array(brand), as: UTF8.self) {
        case "heic", "heix", "mif1", "msf1": "image/heic"
        case "avif", "avis": "image/avif"
        case "M4A ", "M4B ": "audio/mp4"
        default: "video/mp4"
        }
    }

    /// Whether the bytes are XML whose first element is `svg`.
    static func isDrawing(_ bytes: [UInt8]) -> Bool {
        let beginning = bytes.prefix(longestPrologue).drop {
            [0xEF, 0xBB, 0xBF].contains($0) || " \t\r\n".utf8.contains($0)
        }
        guard beginning.first == UInt8(ascii: "<") else { return false }
        let text = String(decoding: beginning, as: UTF8.self).lowercased().utf8
        let isXML = ["<?xml", "<!--", "<!doctype svg"].contains { text.starts(with: $0.utf8) }
        return text.starts(with: "<svg".utf8)
            || isXML && text.contains("<svg".utf8) && !text.contains("<html".utf8)
    }
}
