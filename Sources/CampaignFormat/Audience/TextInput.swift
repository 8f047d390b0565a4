import Files

/// Gives the text of a file in UTF-8, a piece at a time, whatever it is encoded in.
///
/// UTF-8 is read straight into the caller's buffer, so that the usual file pays nothing for the others.
struct TextInput {
    /// Bytes of another encoding that are read at once.
    private static let block = 48 << 10
    /// How many bytes the caller's buffer has free at least.
    static let room = block * Transcoder.most.perByte + Transcoder.most.besides

    /// What its bytes mean.
    let encoding: TextEncoding
    private let file: OpenFile
    /// Nil for UTF-8.
    private var transcoder: Transcoder?
    private var raw: [UInt8] = []
    /// How many bytes of ``raw`` were read and not given yet.
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

    /// The first bytes as they stand in the file, until the first are given; none for UTF-8.
    var beginning: ArraySlice<UInt8> { raw[..<count] }

    /// Reads on into a part of a buffer.
    ///
    /// - Parameters:
    ///   - buffer: has ``room`` behind `offset`.
    ///   - offset: where the first byte goes.
    /// - Returns: how many bytes came; 0 at the end.
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
