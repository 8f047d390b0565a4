extension AnswerParser {
    mutating func takeStatusLine(_ line: Span<UInt8>) {
        // 101 would change to a protocol that nobody asked for.
        guard let first = AnswerStatusLine(line), first.status != 101 else {
            phase = .malformed
            return
        }
        status = first.status
        keepsAlive = !first.isOld
        phase = .field
    }

    mutating func takeField(_ line: Span<UInt8>) {
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
        // Nothing that an interim answer says is about the one that follows.
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
        // Two lengths, even the same, are how requests are smuggled.
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

    mutating func endHead() {
        guard status >= 200 else {
            phase = .statusLine
            return
        }
        guard !framing.isChunked || framing.length == nil else {
            phase = .malformed
            return
        }
        hasHead = true
        // These have no body; one that announces it anyway may send it, and it would be taken for the next answer.
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
