import CampaignCore

extension Rule {
    static let invalidIgnore = Rule(
        "invalid-ignore", .warning, "A comment that cannot switch a rule off",
        """
        A "hubsend:ignore" comment in a campaign or a config must name a rule and give a reason. It applies to its \
        own line or, if it is alone on a line, to the next line. Errors cannot be switched off.
        """,
        wrong: "audience: { usernames: [team@example.com] } # hubsend:ignore personal-username",
        right: """
            # hubsend:ignore personal-username The public address of our own team.
            audience: { usernames: [team@example.com] }
            """)

    static let uselessIgnore = Rule(
        "useless-ignore", .warning, "A comment that switches nothing off",
        "The finding was fixed or has moved. If the comment is left in place, it can hide a later finding.",
        wrong: """
            # hubsend:ignore personal-username The public address of our own team.
            audience: { usernames: [alice] }
            """,
        right: "audience: { usernames: [alice] }")
}

/// Comments that switch off a rule for one line: `# hubsend:ignore RULE reason`.
///
/// A comment applies to its own line or, if the line contains nothing else, to the next line that
/// is not a comment. A comment can switch off warnings and hints, but not errors.
package struct IgnoreComments: Sendable {
    private struct Comment: Sendable {
        let rule: String
        let hasReason: Bool
        let range: SourceRange
        let line: Int
    }

    private static let mark = Array("hubsend:ignore".utf8)
    /// A rule whose findings depend on the machine; comments that switch it off are never reported
    /// as useless.
    private static let undecided = Rule.notChecked.id
    /// The maximum number of comments in a file; further comments are ignored.
    private static let most = 1_000

    private var files = SourceFiles(file: "")
    private var comments: [Comment] = []
    private var showsLines = false

    package init() {}

    /// - Parameter showsLines: false for a config, which has secrets.
    init(in files: SourceFiles, root: YAMLNode, showsLines: Bool = true) {
        self.files = files
        self.showsLines = showsLines
        let signs = Self.signs(in: files.text.bytes)
        guard !signs.isEmpty else { return }
        let outside = Self.leavingOutTexts(of: root, in: files.text.bytes, signs)
        comments = Self.comments(at: outside, in: files.text).filter {
            files.place(of: $0.range).file == files.file
        }
    }

    // MARK: Reading

    /// The position of the `#` of each hubsend comment, found by inspecting only its line.
    private static func signs(in bytes: [UInt8]) -> [Int] {
        Array(
            bytes.indices.lazy.filter { index in
                guard bytes[index] == UInt8(ascii: "#"),
                    index == 0 || isBlankOrBreak(bytes[index - 1])
                else { return false }
                let word = bytes[(index + 1)...].drop(while: isBlank)
                guard word.starts(with: mark) else { return false }
                let end = word.startIndex + mark.count
                return end == bytes.count || isBlankOrBreak(bytes[end])
            }.prefix(most))
    }

    private static func leavingOutTexts(
        of root: YAMLNode, in bytes: [UInt8], _ signs: [Int]
    ) -> [Int] {
        var isText = signs.map { _ in false }
        root.eachText { range, style in
            var start = range.start.offset
            let end = min(range.end.offset, bytes.count)
            if style == .literal || style == .folded {
                // A comment may follow the | or > that begins a block.
                while start < end, !isBreak(bytes[start]) { start += 1 }
            }
            var index = signs.sortedCount(below: start)
            // Text that is reached again through an alias is skipped.
            while index < signs.count, signs[index] < end, !isText[index] {
                isText[index] = true
                index += 1
            }
        }
        return zip(signs, isText).filter { !$1 }.map(\.0)
    }

    /// Lines are read from the end, because a comment on a line of its own applies to the next line
    /// with text.
    private static func comments(at signs: [Int], in source: SourceText) -> [Comment] {
        var comments: [Comment] = []
        var left = signs[...]
        var below = source.bytes.count
        let lines = source.bytes[source.contentStart...].split(whereSeparator: isBreak)
        for line in lines.reversed() {
            var end = line.endIndex
            while let start = left.last, start >= line.startIndex {
                let isAlone = line[..<start].last { !isBlank($0) } == nil
                comments.append(
                    comment(start..<end, about: isAlone ? below : start, in: source))
                end = start
                left.removeLast()
            }
            if let first = line.first(where: { !isBlank($0) }), first != UInt8(ascii: "#") {
                below = line.startIndex
            }
        }
        return comments.reversed()
    }

    private static func comment(
        _ part: Range<Int>, about place: Int, in source: SourceText
    ) -> Comment {
        let text = String(decoding: source.bytes[part], as: UTF8.self)
        let words = text.dropFirst().split { $0 == " " || $0 == "\t" }.dropFirst()
        let reason = words.dropFirst().joined(separator: " ")
        return Comment(
            rule: words.first.map(String.init) ?? "",
            hasReason: reason.contains { $0.isLetter || $0.isNumber },
            range: source.range(ofBytes: part), line: source.position(atByte: place).line)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func isBlankOrBreak(_ byte: UInt8) -> Bool { isBlank(byte) || isBreak(byte) }

    // MARK: Applying

    package func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        guard !comments.isEmpty else { return findings }
        let places = Set(comments.filter(\.hasReason).map(Place.init))
        return findings.filter { !isCovered($0) || !places.contains(Place($0)) }
    }

    /// - Parameters:
    ///   - findings: all findings, including those that comments switch off.
    ///   - isComplete: false for a file with errors, in which some rules are not checked.
    ///   - unknown: rules that depend on other files.
    package func faults(
        among findings: [Diagnostic], isComplete: Bool, unknown: Set<String> = []
    ) -> [Diagnostic] {
        let unknown = unknown.union([Self.undecided])
        guard !comments.isEmpty else { return [] }
        let places = Set(findings.filter(isCovered).map(Place.init))
        return comments.compactMap { comment in
            if let (rule, message, help) = Self.problem(of: comment, among: places),
                rule != .uselessIgnore || isComplete && !unknown.contains(comment.rule)
            {
                // The line may contain somebody's name.
                files.finding(
                    rule, at: comment.range, isPersonal: true, showsLine: showsLines, message,
                    help: help)
            } else {
                nil
            }
        }
    }

    private static func problem(
        of comment: Comment, among findings: Set<Place>
    ) -> (Rule, DiagnosticMessage, help: DiagnosticMessage)? {
        let name = comment.rule.shortened
        guard !name.isEmpty else {
            return (
                .invalidIgnore, "The comment does not say which rule it switches off.",
                "Write # hubsend:ignore, a rule and the reason."
            )
        }
        guard let rule = Rule.named(comment.rule) else {
            return (
                .invalidIgnore, "There is no rule \"\(audience: name)\".",
                NearestName.nearest(to: comment.rule, among: Rule.all.map(\.id))
                    .map { "Did you mean \"\($0)\"?" } ?? "\"hubsend rules\" lists all rules."
            )
        }
        guard comment.hasReason else {
            return (
                .invalidIgnore, "The comment does not say why \"\(name)\" is switched off here.",
                "Write the reason after the rule, for people who read the file later."
            )
        }
        if findings.contains(Place(comment)) { return nil }
        if rule.severity == .error {
            return (
                .invalidIgnore, "\"\(name)\" is an error, which cannot be switched off.",
                "Fix the error, and delete the comment."
            )
        }
        return (
            .uselessIgnore, "Nothing on line \(comment.line) violates the rule \"\(name)\".",
            "Delete the comment, or move it to the line that it applies to or the line above that."
        )
    }

    private func isCovered(_ finding: Diagnostic) -> Bool {
        finding.severity != .error && finding.file == files.file
    }

    private struct Place: Hashable {
        let rule: String
        let line: Int

        init(_ comment: Comment) {
            (rule, line) = (comment.rule, comment.line)
        }

        init(_ finding: Diagnostic) {
            (rule, line) = (finding.rule, finding.range.line)
        }
    }
}
