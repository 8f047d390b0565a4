/// Compares responses with the expected responses of a fixture, and keeps captured values.
///
/// Between `{{` and `}}`, an expected line may have a name from `patterns`, `NAME=PATTERN` to
/// capture a value, `NAME` for a captured value, `host`, or `repeat:COUNT:TEXT`. A header line that
/// starts with `?` is optional. A line `...` ends the comparison.
struct WireMatcher {
    /// The recorded forms of values that vary.
    private static let patterns = [
        "id:notification": "[0-9a-f]{32}-[0-9]{14}-[0-9]+-[0-9]+",
        "id:scheduled":
            "[0-9A-Fa-f]{32}_[0-9]{14}_[0-9]+_[0-9]+_QNHQueue[0-9A-Fa-f]{32}-S[0-9]+",
        "id:registration": "[0-9]+-[0-9]+-[0-9]",
        "guid": "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "timestamp": "[0-9]{1,2}/[0-9]{1,2}/[0-9]{4} [0-9]{1,2}:[0-9]{2}:[0-9]{2} [AP]M",
        "instant": "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,7})?Z",
        "number": "[0-9]+",
        "token": "[A-Za-z0-9_-]+",
        "text": "[^<>]*",
        "any": ".*",
        "4xx": "4[0-9]{2} .*",
    ]

    let host: String
    /// Captured values by name.
    private(set) var captured: [String: String] = [:]

    init(host: String) {
        self.host = host
    }

    /// Compares a response; returns the difference, line by line, or nil.
    mutating func difference(of received: String, from template: [String]) throws -> String? {
        var actual = WireAnswer.lines(of: received)
        var expected = Self.withoutAbsentOptions(
            WireAnswer.lines(ofTemplate: template), in: actual)
        if let open = expected.firstIndex(of: "...") {
            expected = Array(expected[..<open])
            actual = Array(actual.prefix(expected.count))
        }
        var matches = expected.count == actual.count
        for (template, line) in zip(expected, actual) where matches {
            matches = try capture(template, from: line)
        }
        return matches ? nil : rendered(expected, actual)
    }

    /// Removes the question marks and missing optional headers.
    private static func withoutAbsentOptions(_ expected: [String], in actual: [String]) -> [String]
    {
        let names = Set(actual.prefix { !$0.isEmpty }.map { $0.prefix { $0 != ":" } })
        var head = expected.prefix { !$0.isEmpty }.compactMap { line -> String? in
            guard line.hasPrefix("?") else { return line }
            let header = line.dropFirst()
            return names.contains(header.prefix { $0 != ":" }) ? String(header) : nil
        }
        head = head.prefix(1) + head.dropFirst().sorted()
        return head + expected.drop { !$0.isEmpty }
    }

    private mutating func capture(_ template: String, from line: String) throws -> Bool {
        guard let match = try regex(template).wholeMatch(in: line) else { return false }
        for piece in try WirePlaceholder.pieces(of: template) {
            guard case .placeholder(let text) = piece, let sign = text.firstIndex(of: "=") else {
                continue
            }
            let name = String(text[..<sign])
            captured[name] = (match[name]?.substring).map { String($0) }
        }
        return true
    }

    private func regex(_ template: String) throws -> Regex<AnyRegexOutput> {
        let whole = try WirePlaceholder.pieces(of: template).map { piece in
            switch piece {
            case .text(let text): Self.quoted(text)
            case .placeholder(let name): try pattern(of: name)
            }
        }.joined()
        return try Regex(whole).matchingSemantics(.unicodeScalar)
    }

    private func pattern(of name: String) throws -> String {
        if let text = try WirePlaceholder.repeated(name) { return Self.quoted(text) }
        if name == "host" { return Self.quoted(host) }
        if let pattern = Self.patterns[name] { return "(?:\(pattern))" }
        if let value = captured[name] { return Self.quoted(value) }
        let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let pattern = Self.patterns[parts[1]] else {
            throw WireFixtureError("nothing is known for {{\(name)}} in an answer")
        }
        return "(?<\(parts[0])>\(pattern))"
    }

    private static func quoted(_ text: String) -> String {
        "\\Q\(text)\\E"
    }

    private func rendered(_ expected: [String], _ actual: [String]) -> String {
        // A name that was never captured is kept, so that the difference shows it.
        let changes = actual.difference(from: expected) { template, line in
            (try? regex(template).wholeMatch(in: line)) != nil
        }
        var missing: Set<Int> = []
        var added: Set<Int> = []
        for change in changes {
            switch change {
            case .remove(let offset, _, _): missing.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var lines: [String] = []
        var next = 0
        for (offset, line) in expected.enumerated() {
            guard !missing.contains(offset) else {
                lines.append("- \(line)")
                continue
            }
            while added.contains(next) {
                lines.append("+ \(actual[next])")
                next += 1
            }
            if next < actual.count { lines.append("  \(actual[next])") }
            next += 1
        }
        lines += actual[min(next, actual.count)...].map { "+ \($0)" }
        return lines.joined(separator: "\n")
    }
}
