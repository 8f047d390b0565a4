import Testing

struct RawAnswer {
    let status: Int
    /// Names are in lower case.
    let headers: [(name: String, value: String)]
    let body: String

    init(_ text: String) throws {
        // In Swift, a carriage return and a line feed are one character.
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let end = try #require(lines.firstIndex(of: ""), "no answer: \(text)")
        let code = lines.first?.split(separator: " ").dropFirst().first
        status = try #require(code.flatMap { Int($0) }, "no status: \(text)")
        headers = lines[1..<end].map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (parts[0].lowercased(), parts.count < 2 ? "" : String(parts[1].dropFirst()))
        }
        body = lines[(end + 1)...].joined(separator: "\r\n")
    }

    /// The value of a header; nil if it is missing or repeated.
    subscript(name: String) -> String? {
        let values = headers.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    /// Makes a request to 127.0.0.1 on a new connection; a nil host is the hub's own address.
    static func to(
        _ line: String, port: Int, host: String? = nil, _ lines: [String] = [],
        body: String? = nil
    ) async throws -> RawAnswer {
        var head = ["\(line) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"] + lines
        if let body { head.append("Content-Length: \(body.utf8.count)") }
        head += ["Connection: close", "", body ?? ""]
        return try RawAnswer(
            try await RawConnection.exchange(port: port, head.joined(separator: "\r\n")))
    }
}
