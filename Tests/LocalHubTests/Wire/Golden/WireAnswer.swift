import Foundation

/// A response in canonical form, for comparison.
///
/// Header names are in lower case and sorted. Headers that any HTTP server adds are omitted
/// (`Date`, `Server`, `Connection`, and `Content-Length`, which must be correct). XML elements are
/// on separate lines; a line break in the response is shown as `⏎`.
enum WireAnswer {
    private static let ends = "\r\n\r\n"
    private static let unheeded: Set = ["date", "server", "connection", "content-length"]

    static func isComplete(_ received: String) -> Bool {
        var rest = received[...]
        while let end = rest.firstRange(of: ends) {
            let head = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            guard isInterim(head) else { return rest.utf8.count >= (announced(head) ?? 0) }
        }
        return false
    }

    static func lines(of received: String) -> [String] {
        var lines: [String] = []
        var rest = received[...]
        while let end = rest.firstRange(of: ends) {
            let head = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            lines += canonical(head.components(separatedBy: "\r\n"))
            guard isInterim(head) else {
                if let length = announced(head), length != rest.utf8.count {
                    lines.append("(Content-Length is \(length), the body has \(rest.utf8.count).)")
                }
                break
            }
            lines.append("")
        }
        return lines + body(String(rest))
    }

    static func lines(ofTemplate template: [String]) -> [String] {
        var template = template[...]
        while template.last == "" { template = template.dropLast() }
        var lines: [String] = []
        while let start = template.first, isInterim(Substring(start)) {
            let end = template.firstIndex(of: "") ?? template.endIndex
            lines += canonical(Array(template[..<end])) + [""]
            template = template[min(end + 1, template.endIndex)...]
        }
        let end = template.firstIndex(of: "") ?? template.endIndex
        lines += canonical(Array(template[..<end]))
        let rest = template[min(end + 1, template.endIndex)...]
        guard rest.last == "..." else { return lines + body(rest.joined(separator: "\n")) }
        let start = body(rest.dropLast().joined(separator: "\n"))
        return lines + (start.isEmpty ? [""] : start) + ["..."]
    }

    private static func isInterim(_ head: Substring) -> Bool {
        head.hasPrefix("HTTP/1.1 1")
    }

    private static func announced(_ head: Substring) -> Int? {
        head.components(separatedBy: "\r\n").dropFirst()
            .first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) }
    }

    private static func canonical(_ head: [String]) -> [String] {
        let headers = head.dropFirst().map { line in
            let name = line.prefix { $0 != ":" }
            return name.lowercased() + line.dropFirst(name.count)
        }
        return head.prefix(1)
            + headers.filter { line in !unheeded.contains(String(line.prefix { $0 != ":" })) }
            .sorted()
    }

    private static func body(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        return [""]
            + text.replacing("\r\n", with: "␍⏎").replacing("\n", with: "⏎")
            .replacing("><", with: ">\n<").components(separatedBy: "\n")
    }
}
