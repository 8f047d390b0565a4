/// Reads multipart bodies (RFC 2046, section 5.1) as leniently as clients need.
///
/// The server limits the body; this reader limits the boundary, parts and headers.
enum MultipartReader {
    struct Part: Equatable {
        /// The headers, with names in lower case.
        let headers: [String: String]
        let body: ArraySlice<UInt8>

        var name: String? {
            headers["content-disposition"].flatMap { HeaderParameters.value("name", in: $0) }
        }
    }

    private static let longestBoundary = 200
    private static let mostParts = 16
    private static let mostHeaders = 16
    private static let newline = UInt8(ascii: "\n")
    private static let dash = UInt8(ascii: "-")

    /// Reads the parts.
    ///
    /// Text before the first boundary and after the closing boundary is ignored; the closing
    /// boundary is optional.
    ///
    /// Lines can end without a carriage return. Throws a 400 if the type is not multipart, or if
    /// there are no parts or too many.
    static func parts(of body: [UInt8], contentType: String) throws(HubFailure) -> [Part] {
        let boundary = try boundary(contentType)
        let delimiter = Array("--\(boundary)".utf8)
        var parts: [Part] = []
        var partStart: Int?
        var lineStart = 0
        var isClosed = false
        while lineStart < body.count, !isClosed {
            let lineEnd = body[lineStart...].firstIndex(of: newline) ?? body.count
            if let closes = closes(body[lineStart..<lineEnd], delimiter) {
                if let start = partStart {
                    parts.append(try part(body[start..<max(start, lineStart)]))
                    guard parts.count <= mostParts else {
                        throw .badRequest("The multipart body has more than \(mostParts) parts.")
                    }
                }
                partStart = min(lineEnd + 1, body.count)
                isClosed = closes
            }
            lineStart = lineEnd + 1
        }
        if let start = partStart, !isClosed { parts.append(try part(body[start...])) }
        guard !parts.isEmpty else { throw .badRequest("The multipart body has no parts.") }
        return parts
    }

    private static func boundary(_ contentType: String) throws(HubFailure) -> String {
        guard contentType.lowercased().hasPrefix("multipart/"),
            let boundary = HeaderParameters.value("boundary", in: contentType),
            (1...longestBoundary).contains(boundary.utf8.count)
        else { throw .badRequest("The Content-Type is not multipart/mixed with a boundary.") }
        return boundary
    }

    /// Whether a boundary is the closing boundary; nil if the line is not a boundary.
    private static func closes(_ line: ArraySlice<UInt8>, _ delimiter: [UInt8]) -> Bool? {
        guard line.starts(with: delimiter) else { return nil }
        var rest = line.dropFirst(delimiter.count)
        let closes = rest.starts(with: [dash, dash])
        if closes { rest = rest.dropFirst(2) }
        return rest.allSatisfy(\.isSpace) ? closes : nil
    }

    /// Reads a part; the line break before the next boundary does not belong to it.
    private static func part(_ bytes: ArraySlice<UInt8>) throws(HubFailure) -> Part {
        var headers: [String: String] = [:]
        var rest = bytes
        while !rest.isEmpty {
            let end = rest.firstIndex(of: newline) ?? rest.endIndex
            let line = rest[..<end].trimmed()
            rest = rest[min(end + 1, rest.endIndex)...]
            if line.isEmpty { break }
            guard headers.count < mostHeaders, let colon = line.firstIndex(of: UInt8(ascii: ":"))
            else { throw .badRequest("A part of the multipart body has malformed headers.") }
            let name = String(decoding: line[..<colon].trimmed(), as: UTF8.self).lowercased()
            headers[name] = String(decoding: line[(colon + 1)...].trimmed(), as: UTF8.self)
        }
        if rest.last == newline { rest = rest.dropLast() }
        if rest.last == UInt8(ascii: "\r") { rest = rest.dropLast() }
        return Part(headers: headers, body: rest)
    }
}

/// The parameters of a header such as `multipart/mixed; boundary = "b"` (RFC 2045, section 5.1).
enum HeaderParameters {
    /// The first value of a parameter, without quotation marks; `name` is in lower case.
    ///
    /// One client sends spaces around the equals sign.
    static func value(_ name: String, in header: String) -> String? {
        var rest = header.utf8.drop { $0 != semicolon }
        while rest.first == semicolon {
            rest = rest.dropFirst().drop(while: \.isSpace)
            let key = rest.prefix { $0 != equals && $0 != semicolon }
            rest = rest.dropFirst(key.count)
            guard rest.first == equals else { continue }
            rest = rest.dropFirst().drop(while: \.isSpace)
            let value = value(&rest)
            rest = rest.drop { $0 != semicolon }
            if text(key).lowercased() == name { return value }
        }
        return nil
    }

    private static let semicolon = UInt8(ascii: ";")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")

    private static func value(_ rest: inout Substring.UTF8View) -> String {
        guard rest.first == quote else {
            let bare = rest.prefix { $0 != semicolon }
            rest = rest.dropFirst(bare.count)
            return text(bare)
        }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != quote {
            // A backslash quotes the next byte.
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ bytes: Substring.UTF8View) -> String {
        String(decoding: bytes.trimmed(), as: UTF8.self)
    }
}
