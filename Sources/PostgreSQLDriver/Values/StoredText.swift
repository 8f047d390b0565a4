/// Text with any characters, in columns that accept all characters except U+0000.
///
/// U+0000 is written as U+0001 `0`, and U+0001 as U+0001 `1`; nothing else is changed.
enum StoredText {
    private static let mark: UInt8 = 1

    static func encode(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 <= mark }) else { return text }
        let bytes = text.utf8.flatMap { byte in
            byte <= mark ? [mark, UInt8(ascii: "0") + byte] : [byte]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func decode(_ text: String) -> String {
        guard text.utf8.contains(mark) else { return text }
        let parts = text.utf8.split(separator: mark, omittingEmptySubsequences: false)
        var bytes = Array(parts[0])
        for part in parts.dropFirst() {
            bytes.append(part.first == UInt8(ascii: "0") ? 0 : mark)
            bytes += part.dropFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
