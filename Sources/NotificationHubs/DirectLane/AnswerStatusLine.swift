/// The first line of an answer, such as `HTTP/1.1 201 Created`.
struct AnswerStatusLine {
    private static let beginning: StaticString = "HTTP/1."

    /// 100 to 999.
    let status: Int

    /// Whether it is HTTP/1.0, whose connections end with the answer.
    let isOld: Bool

    /// Reads a line without its end.
    ///
    /// - Parameter line: the line.
    init?(_ line: Span<UInt8>) {
        guard line.count >= 12, Self.canBegin(with: line), line[7] == 0x30 || line[7] == 0x31,
            line[8] == 0x20, line.count == 12 || line[12] == 0x20
        else { return nil }
        var status = 0
        for index in 9..<12 {
            guard (0x30...0x39).contains(line[index]) else { return nil }
            status = status * 10 + Int(line[index] - 0x30)
        }
        guard status >= 100 else { return nil }
        guard AnswerField.isText(line.extracting(12..<line.count)) else { return nil }
        self.status = status
        isOld = line[7] == 0x30
    }

    /// Whether a line that begins with some bytes can be one.
    static func canBegin(with bytes: Span<UInt8>) -> Bool {
        for index in 0..<min(bytes.count, beginning.utf8CodeUnitCount)
        where unsafe bytes[index] != beginning.utf8Start[index] {
            return false
        }
        return true
    }
}
