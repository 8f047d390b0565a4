/// Reads the answer to one request off a connection, strictly and within bounds.
///
/// It is pure and takes the bytes in pieces of any size; what comes out does not depend on how they
/// were cut. It keeps what a sender looks at: of a message that was taken, only its id, and of any
/// other answer the header and the beginning of the body.
struct AnswerParser {
    /// How far the answer has come.
    enum Progress: Hashable {
        /// More bytes have to come.
        case reading
        /// It is whole, or as much of it is there as anyone looks at.
        case complete
        /// It is none of HTTP's.
        case malformed
    }

    /// What the next bytes are.
    enum Phase {
        case statusLine, field
        case body, bodyUntilClose
        case chunkSize, chunk, chunkEnd, trailer
        case complete, malformed
    }

    /// The most bytes of all lines of an answer, its interim answers included: as much as the
    /// general client takes.
    static let headLimit = 80 * 1_024

    /// The most bytes of a body that are read.
    static let bodyLimit = HTTPTransport.bodyLimit

    /// Whether the final status and all header fields have come: then the answer is known,
    /// whatever becomes of the rest of its body.
    var hasHead = false

    /// The status code, 100 to 999.
    var status = 0

    /// Whether another request can go over the connection once this answer is complete.
    var keepsAlive = true

    /// The hub's id of the message, where it took it and gave one.
    var messageID: String?

    /// The header's fields, unless the hub took the message.
    var fields: [(name: String, value: String)] = []

    /// The beginning of the body, unless the hub took the message.
    var body: [UInt8] = []

    var phase = Phase.statusLine
    var framing = AnswerFraming()
    /// Bytes that have still to come of a body with a length, or of a chunk.
    var remaining = 0
    var bodyCount = 0
    private var lineBytes = 0
    /// The beginning of a line whose end has not come.
    private var partial: [UInt8] = []

    /// Whether nothing of the answer has come.
    var isUntouched: Bool { lineBytes == 0 }

    /// Whether the hub took the message.
    var isAcceptance: Bool { status == 201 || status == 200 }

    /// How far the answer has come.
    var progress: Progress {
        switch phase {
        case .complete: .complete
        case .malformed: .malformed
        default: .reading
        }
    }

    /// Takes the next bytes of the connection.
    ///
    /// - Parameter bytes: any number of them. Bytes behind the answer's end belong to no request:
    ///   the connection cannot be used again.
    /// - Returns: how far the answer has come.
    mutating func read(_ bytes: Span<UInt8>) -> Progress {
        var position = 0
        while position < bytes.count {
            switch phase {
            case .statusLine, .field, .chunkSize, .chunkEnd, .trailer:
                position = readLine(bytes, from: position)
            case .body, .bodyUntilClose, .chunk:
                position = readBody(bytes, from: position)
            case .complete:
                keepsAlive = false
                return .complete
            case .malformed:
                return .malformed
            }
        }
        return progress
    }

    /// Takes the connection's end, by which some answers are complete.
    ///
    /// - Returns: how far the answer has come; it gets no farther.
    mutating func readEnd() -> Progress {
        keepsAlive = false
        if phase == .bodyUntilClose {
            phase = .complete
        } else if !hasHead, !isUntouched {
            phase = .malformed
        }
        return progress
    }

    /// Makes ready for the next answer of the same connection.
    mutating func reset() {
        hasHead = false
        status = 0
        messageID = nil
        if !fields.isEmpty { fields = [] }
        if !body.isEmpty { body = [] }
        if !partial.isEmpty { partial = [] }
        phase = .statusLine
        framing = AnswerFraming()
        remaining = 0
        bodyCount = 0
        lineBytes = 0
    }

    private mutating func readLine(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let end = bytes.firstLineFeed(from: start)
        lineBytes += end - start + (end < bytes.count ? 1 : 0)
        guard lineBytes <= Self.headLimit else {
            phase = .malformed
            return bytes.count
        }
        guard end < bytes.count else {
            keep(bytes.extracting(start..<end))
            return end
        }
        if partial.isEmpty {
            takeLine(bytes.extracting(start..<end))
        } else {
            keep(bytes.extracting(start..<end))
            let line = partial
            partial = []
            takeLine(line.span)
        }
        return end + 1
    }

    private mutating func keep(_ piece: Span<UInt8>) {
        for index in piece.indices { partial.append(piece[index]) }
        // What speaks another protocol may wait for the client to go on.
        if phase == .statusLine, !AnswerStatusLine.canBegin(with: partial.span) {
            phase = .malformed
        }
    }

    private mutating func takeLine(_ line: Span<UInt8>) {
        let last = line.count - 1
        guard phase != .malformed, last >= 0, line[last] == UInt8(ascii: "\r") else {
            phase = .malformed
            return
        }
        let content = line.extracting(0..<last)
        switch phase {
        case .statusLine: takeStatusLine(content)
        case .field: content.isEmpty ? endHead() : takeField(content)
        case .chunkSize: takeChunkSize(content)
        case .chunkEnd: phase = content.isEmpty ? .chunkSize : .malformed
        case .trailer: if content.isEmpty { phase = .complete }
        case .body, .bodyUntilClose, .chunk, .complete, .malformed: phase = .malformed
        }
    }
}
