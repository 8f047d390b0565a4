import Files

/// Gives a file's text in UTF-8, a piece at a time, from any encoding.
///
/// UTF-8 is read straight into the caller's buffer, so the usual file pays nothing for the others.
struct TextInput {
    /// Bytes of another encoding that are read at once.
    private static let block = 48 << 10
    /// Free bytes that the caller's buffer needs.
    static let room = block * Transcoder.most.perByte + Transcoder.most.besides

    let encoding: TextEncoding
    private let file: OpenFile
    /// nil for UTF-8.
    private var transcoder: Transcoder?
    private var raw: [UInt8] = []
    /// Bytes of ``raw`` that were read and not given yet.
    private var count = 0
    private var isAtEnd = false

    init(_ file: OpenFile, encoding: TextEncoding) throws(SystemFault) {
        self.file = file
        self.encoding = encoding
        guard encoding != .utf8 else { return }
        raw = [UInt8](repeating: 0, count: Self.block)
        try fill()
        transcoder = Transcoder(encoding, beginning: beginning)
    }

    /// Raw bytes at the file's start, until the first are given; none for UTF-8.
    var beginning: ArraySlice<UInt8> { raw[..<count] }

    /// Returns the number of bytes, 0 at the end; the buffer needs ``room`` after `offset`.
    mutating func read(
        into buffer: inout [UInt8], from offset: Int
    ) throws(SystemFault) -> Int {
        guard transcoder != nil else { return try file.read(into: &buffer, from: offset) }
        var end = offset
        while end == offset, !isAtEnd {
            if count == 0 { try fill() }
            transcoder?.decode(raw, count: count, into: &buffer, at: &end)
            if count == 0 {
                isAtEnd = true
                transcoder?.finish(into: &buffer, at: &end)
            }
            count = 0
        }
        return end - offset
    }

    private mutating func fill() throws(SystemFault) {
        count = try file.read(into: &raw, from: 0)
    }
}
