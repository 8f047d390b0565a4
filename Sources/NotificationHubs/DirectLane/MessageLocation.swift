/// Reads the id of a message off the `Location` of an answer, byte for byte as ``HubAnswer`` does;
/// whoever keeps the id asks ``KnownSecrets`` first.
enum MessageLocation {
    /// The last segment of the path, without query; nil without a sane one (reference: section
    /// 3.9).
    static func lastSegment(of location: Span<UInt8>) -> String? {
        var start: Int?
        var end = 0
        while end < location.count {
            let byte = location[end]
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
            end += 1
            if byte == UInt8(ascii: "/") { start = end }
        }
        guard let start, (1...ForeignText.limit).contains(end - start) else { return nil }
        for index in start..<end where !(0x21...0x7E).contains(location[index]) { return nil }
        return String(bytes: location.extracting(start..<end))
    }
}
