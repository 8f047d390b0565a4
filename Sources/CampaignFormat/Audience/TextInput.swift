import Files

/// Reads a file's text as UTF-8 from any supported encoding, a piece at a time.
///
/// UTF-8 is read directly into the caller's buffer, so support for other encodings does not slow it
/// down.
struct TextInput {
    /// How many bytes of another encoding are read in one call.
    private static let block = 48 << 10
    /// The number of free bytes that the caller's buffer needs.
    static let room = block * Transcoder.most.perByte + Transcoder.most.besides

    let encoding: TextEncoding
    private let file: OpenFile
    /// nil for UTF-8.
    private let transcoder: Transcoder?
    /// Raw bytes at the file's start; empty for UTF-8.
    let beginning: ArraySlice<UInt8>
    /// Bytes that were read but not decoded yet.
    private var raw: [UInt8]
    private var isUnread = true
    private var isAtEnd = false

    init(_ file: OpenFile, encoding: TextEncoding) throws(SystemError) {
        self.file = file
        self.encoding = encoding
        raw = encoding == .utf8 ? [] : try file.beginning(Self.block)
        beginning = raw[...]
        transcoder = try Transcoder(encoding, beginning: beginning)
    }

    /// Returns the number of bytes, 0 at the end; the buffer needs ``room`` after `offset`.
    mutating func read(
        into buffer: inout [UInt8], from offset: Int
    ) throws(SystemError) -> Int {
        guard let transcoder else { return try file.read(into: &buffer, from: offset) }
        var end = offset
        while end == offset, !isAtEnd {
            if !isUnread {
                let more = try file.beginning(Self.block)
                raw += more
                isAtEnd = more.isEmpty
            }
            isUnread = false
            transcoder.decode(&raw, into: &buffer, at: &end, isLast: isAtEnd)
        }
        return end - offset
    }
}
