extension AnswerParser {
    /// The longest line with the size of a chunk, extensions included, in bytes.
    static let chunkLineLimit = 256

    mutating func readBody(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let available = bytes.count - start
        let count = phase == .bodyUntilClose ? available : min(available, remaining)
        let room = Self.bodyLimit - bodyCount
        if !isAcceptance {
            for index in start..<start + min(count, room) { body.append(bytes[index]) }
        }
        guard count <= room else {
            // Nobody looks at more, and reading it to its end could take forever.
            bodyCount = Self.bodyLimit
            keepsAlive = false
            phase = .complete
            return bytes.count
        }
        bodyCount += count
        guard phase != .bodyUntilClose else { return start + count }
        remaining -= count
        if remaining == 0 { phase = phase == .chunk ? .chunkEnd : .complete }
        return start + count
    }

    mutating func takeChunkSize(_ line: Span<UInt8>) {
        guard line.count <= Self.chunkLineLimit else {
            phase = .malformed
            return
        }
        var size = 0
        var position = 0
        while position < line.count, let digit = Self.hexadecimal(line[position]) {
            size = size << 4 | digit
            position += 1
            guard position <= 8 else {
                phase = .malformed
                return
            }
        }
        let hasExtensions = position < line.count
        guard position > 0, !hasExtensions || line[position] == UInt8(ascii: ";") else {
            phase = .malformed
            return
        }
        guard AnswerField.isText(line.extracting(position..<line.count)) else {
            phase = .malformed
            return
        }
        remaining = size
        phase = size == 0 ? .trailer : .chunk
    }

    private static func hexadecimal(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }
}
