/// Finds where comments end and what stands below them, in linear time.
struct CommentLines {
    struct Comment: Hashable {
        let start: Int
        /// After its last byte.
        let end: Int
        /// The next line that is neither blank nor a comment, or the file's end.
        let below: Int
    }

    private(set) var comments: [Comment] = []

    /// - Parameter starts: the `#` of each comment, in order.
    init<Bytes>(at starts: [Int], in bytes: Bytes)
    where Bytes: RandomAccessCollection<UInt8>, Bytes.Index == Int {
        for start in starts.reversed() {
            let next = comments.last
            let limit = next?.start ?? bytes.endIndex
            // A comment that begins in the same line ends with it.
            guard let end = bytes[start..<limit].firstIndex(where: Self.isBreak) else {
                comments.append(
                    Comment(
                        start: start, end: next?.end ?? limit, below: next?.below ?? limit))
                continue
            }
            comments.append(
                Comment(
                    start: start, end: end,
                    below: Self.firstText(from: end, before: next, in: bytes)))
        }
        comments.reverse()
    }

    private static func firstText<Bytes>(
        from end: Int, before next: Comment?, in bytes: Bytes
    ) -> Int where Bytes: RandomAccessCollection<UInt8>, Bytes.Index == Int {
        let limit = next?.start ?? bytes.endIndex
        var index = end
        while index < limit {
            if isBlank(bytes[index]) || isBreak(bytes[index]) {
                index += 1
            } else if bytes[index] == UInt8(ascii: "#") {
                index = bytes[index..<limit].firstIndex(where: isBreak) ?? limit
            } else {
                return index
            }
        }
        return next?.below ?? limit
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
