/// Reads the response to a request from a connection, strictly and within limits.
///
/// The result does not depend on how the bytes were split. It stores the id of an accepted message,
/// or the header and the beginning of the body of any other response.
struct AnswerParser {
    enum Progress: Hashable {
        /// More bytes are needed.
        case reading
        /// The response is complete, or the part that the parser needs has arrived.
        case complete
        /// The response is not HTTP.
        case malformed
    }

    private enum Phase {
        case statusLine, field
        case body, bodyUntilClose
        case chunkSize, chunk, chunkEnd, trailer
        case complete, malformed
    }

    /// The maximum size of all header lines in bytes, including those of interim responses, as in
    /// the general client.
    static let headLimit = 80 * 1_024

    static let bodyLimit = HTTPTransport.bodyLimit

    /// Whether the final status and all header fields have arrived, so that the outcome is known.
    private(set) var hasHead = false

    private(set) var status = 0

    /// Whether another request can use the connection once this response is complete.
    private(set) var keepsAlive = true

    /// The hub's id for an accepted message.
    private(set) var messageID: String?

    private(set) var fields: [(name: String, value: String)] = []

    private(set) var body: [UInt8] = []

    private var phase = Phase.statusLine
    private var framing = AnswerFraming()
    /// The number of bytes that are missing from a body with a length, or from a chunk.
    private var remaining = 0
    private var bodyCount = 0
    private var lineBytes = 0
    /// The beginning of an incomplete line.
    private var partial: [UInt8] = []

    private var isUntouched: Bool { lineBytes == 0 }

    var isAcceptance: Bool { status == 201 || status == 200 }

    var progress: Progress {
        switch phase {
        case .complete: .complete
        case .malformed: .malformed
        default: .reading
        }
    }

    /// Reads the next bytes; if there are bytes after the end of the response, the connection
    /// cannot be reused.
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

    /// Handles the end of the connection, which completes some responses.
    mutating func readEnd() -> Progress {
        keepsAlive = false
        if phase == .bodyUntilClose {
            phase = .complete
        } else if !hasHead, !isUntouched {
            phase = .malformed
        }
        return progress
    }

    /// Prepares for the next response on the same connection.
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
        // A peer that uses another protocol may be waiting for the client to send something.
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

extension AnswerParser {
    private mutating func takeStatusLine(_ line: Span<UInt8>) {
        // Status 101 would switch to a protocol that the client did not request.
        guard let first = AnswerStatusLine(line), first.status != 101 else {
            phase = .malformed
            return
        }
        status = first.status
        keepsAlive = !first.isOld
        phase = .field
    }

    private mutating func takeField(_ line: Span<UInt8>) {
        var colon = 0
        while colon < line.count, AnswerField.isToken(line[colon]) { colon += 1 }
        guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else {
            phase = .malformed
            return
        }
        var start = colon + 1
        var end = line.count
        guard AnswerField.isText(line.extracting(start..<end)) else {
            phase = .malformed
            return
        }
        while start < end, line[start] == 0x20 || line[start] == 0x09 { start += 1 }
        while end > start, line[end - 1] == 0x20 || line[end - 1] == 0x09 { end -= 1 }
        // The headers of an interim response do not apply to the next response.
        guard status >= 200 else { return }
        take(name: line.extracting(0..<colon), value: line.extracting(start..<end))
    }

    private mutating func take(name: Span<UInt8>, value: Span<UInt8>) {
        if !isAcceptance {
            fields.append((name: String(bytes: name), value: String(bytes: value)))
        }
        switch AnswerField(name: name) {
        case .location: takeLocation(value)
        case .connection: takeConnection(value)
        case .contentLength: takeContentLength(value)
        case .transferEncoding: takeTransferEncoding(value)
        case nil: break
        }
    }

    private mutating func takeLocation(_ value: Span<UInt8>) {
        guard isAcceptance, !framing.hasLocation else { return }
        framing.hasLocation = true
        messageID = MessageLocation.lastSegment(of: value)
    }

    private mutating func takeConnection(_ value: Span<UInt8>) {
        var start = 0
        while start < value.count {
            var end = start
            while end < value.count, value[end] != UInt8(ascii: ",") { end += 1 }
            var first = start
            var last = end
            while first < last, value[first] == 0x20 || value[first] == 0x09 { first += 1 }
            while last > first, value[last - 1] == 0x20 || value[last - 1] == 0x09 { last -= 1 }
            if AnswerField.isSame(value.extracting(first..<last), "close") { keepsAlive = false }
            start = end + 1
        }
    }

    private mutating func takeContentLength(_ value: Span<UInt8>) {
        // Two lengths, even equal ones, can be used for request smuggling.
        guard framing.length == nil, (1...12).contains(value.count) else {
            phase = .malformed
            return
        }
        var length = 0
        for index in value.indices {
            guard (0x30...0x39).contains(value[index]) else {
                phase = .malformed
                return
            }
            length = length * 10 + Int(value[index] - 0x30)
        }
        framing.length = length
    }

    private mutating func takeTransferEncoding(_ value: Span<UInt8>) {
        guard !framing.isChunked, AnswerField.isSame(value, "chunked") else {
            phase = .malformed
            return
        }
        framing.isChunked = true
    }

    private mutating func endHead() {
        guard status >= 200 else {
            phase = .statusLine
            return
        }
        guard !framing.isChunked || framing.length == nil else {
            phase = .malformed
            return
        }
        hasHead = true
        // A body that follows would be mistaken for the next response.
        if status == 204 || status == 304, framing.isChunked || (framing.length ?? 0) > 0 {
            keepsAlive = false
        }
        if status == 204 || status == 304 || framing.length == 0 {
            phase = .complete
        } else if framing.isChunked {
            phase = .chunkSize
        } else if let length = framing.length {
            remaining = length
            phase = .body
        } else {
            keepsAlive = false
            phase = .bodyUntilClose
        }
    }
}

extension AnswerParser {
    /// The maximum length of a chunk line in bytes, including extensions.
    private static let chunkLineLimit = 256

    private mutating func readBody(_ bytes: Span<UInt8>, from start: Int) -> Int {
        let available = bytes.count - start
        let count = phase == .bodyUntilClose ? available : min(available, remaining)
        let room = Self.bodyLimit - bodyCount
        if !isAcceptance {
            for index in start..<start + min(count, room) { body.append(bytes[index]) }
        }
        guard count <= room else {
            // The rest of the body is not needed and might never end.
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

    private mutating func takeChunkSize(_ line: Span<UInt8>) {
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

/// How the end of a response body is found.
private struct AnswerFraming {
    var length: Int?
    var isChunked = false
    /// Only the first `Location` is used.
    var hasLocation = false
}
