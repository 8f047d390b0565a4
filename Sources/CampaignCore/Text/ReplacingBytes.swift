extension StringProtocol {
    /// Replaces each occurrence of the given text, which is found by comparing bytes.
    ///
    /// A search by `Character` misses a character that is joined with a combining mark, such as
    /// U+0301 after it or U+0D4E before it. Shells, browsers and build servers still interpret such
    /// a character.
    package func replacingBytes(_ part: String, with other: String) -> String {
        let part = Array(part.utf8)
        guard let first = part.first, utf8.contains(first) else { return String(self) }
        let bytes = Array(utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == first, bytes[index...].starts(with: part) {
                result.append(contentsOf: other.utf8)
                index += part.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
