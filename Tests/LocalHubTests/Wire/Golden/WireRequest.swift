@testable import LocalHub

/// A request of a fixture, with its placeholders filled in.
///
/// - `{{host}}`: the host and port of the hub;
/// - `{{sas:RULE:CLIENT}}`: a token of the rule `full`, `send` or `listen`, signed as
///   ``WireSignature`` does;
/// - `{{length}}`: the length of the body in bytes;
/// - `{{repeat:COUNT:TEXT}}`, `{{byte:HEX}}`, `{{lf}}`: text, a byte, a bare line feed;
/// - `{{await}}`, alone on the line after the head: the rest is sent once the hub has started to
///   answer;
/// - `{{NAME}}`: a value captured from an earlier response.
struct WireRequest {
    let first: [UInt8]
    /// The part that is sent after the hub has started to answer.
    let rest: [UInt8]?

    init(_ lines: [String], host: String, captured: [String: String]) throws {
        let headEnd = lines.firstIndex(of: "") ?? lines.endIndex
        var bodyLines = lines[min(headEnd + 1, lines.endIndex)...]
        let waits = bodyLines.first == "{{await}}"
        if waits { bodyLines = bodyLines.dropFirst() }
        let filler = Filler(host: host, captured: captured)
        let body = try Self.joined(bodyLines.map { try filler.bytes(of: $0) })
        var target: String?
        var head: [[UInt8]] = []
        for line in lines[..<headEnd] {
            let bytes = try filler.bytes(of: line, target: target ?? "", length: body.count)
            if target == nil {
                let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
                target = words.count > 1 ? String(words[1]) : ""
            }
            head.append(bytes)
        }
        let end = Array("\r\n\r\n".utf8)
        first = Self.joined(head) + end + (waits ? [] : body)
        rest = waits ? body : nil
    }

    private static func joined(_ lines: [[UInt8]]) -> [UInt8] {
        Array(lines.joined(separator: Array("\r\n".utf8)))
    }
}

private struct Filler {
    let host: String
    let captured: [String: String]

    func bytes(of line: String, target: String = "", length: Int = 0) throws -> [UInt8] {
        try WirePlaceholder.pieces(of: line).flatMap { piece -> [UInt8] in
            switch piece {
            case .text(let text): Array(text.utf8)
            case .placeholder(let name): try value(of: name, target: target, length: length)
            }
        }
    }

    private func value(of name: String, target: String, length: Int) throws -> [UInt8] {
        if let text = try WirePlaceholder.repeated(name) { return Array(text.utf8) }
        let parts = name.split(separator: ":").map(String.init)
        switch (parts.first, parts.count) {
        case ("host", 1): return Array(host.utf8)
        case ("length", 1): return Array(String(length).utf8)
        case ("lf", 1): return [0x0A]
        case ("byte", 2):
            guard let byte = UInt8(parts[1], radix: 16) else { break }
            return [byte]
        case ("sas", 3):
            guard let rule = Self.rules[parts[1]], let client = WireSignature(rawValue: parts[2])
            else { break }
            return Array(client.header(rule, host: host, target: target).utf8)
        case (_, 1):
            guard let value = captured[name] else { break }
            return Array(value.utf8)
        default: break
        }
        throw WireFixtureError("nothing is known for {{\(name)}} in a request")
    }

    private static let rules: [String: LocalHubRule] = [
        "full": .developmentFull, "send": .developmentSend, "listen": .developmentListen,
    ]
}
