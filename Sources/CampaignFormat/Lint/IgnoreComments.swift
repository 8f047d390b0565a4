import CampaignCore
import YAMLSyntax

/// The comments of a file that switch a rule off for one line: `# hubsend:ignore RULE reason`.
///
/// Such a comment counts for the line that it ends or, where it has a line of its own, for the next line that is no comment. It
/// switches warnings and hints off; an error cannot be.
package struct IgnoreComments: Sendable {
    private struct Comment: Sendable {
        let rule: String
        let hasReason: Bool
        /// From its `#` to its end.
        let range: SourceRange
        /// The line that it counts for.
        let line: Int
    }

    private static let mark = "hubsend:ignore"
    /// A file with more of them has something else to mend.
    private static let most = 1_000

    private let files: SourceFiles
    private let comments: [Comment]
    /// Whether the lines may be shown in which the comments stand.
    private let showsLines: Bool

    /// None.
    package init() {
        files = SourceFiles(file: "")
        comments = []
        showsLines = false
    }

    /// Finds the comments of a file.
    ///
    /// - Parameters:
    ///   - files: its text; the config behind it is not looked at.
    ///   - root: its value: what stands in a text is no comment.
    ///   - showsLines: whether its lines may be shown; a config has secrets.
    init(in files: SourceFiles, root: YAMLNode, showsLines: Bool = true) {
        self.files = files
        self.showsLines = showsLines
        let source = files.text
        let found = Self.places(in: source.bytes).prefix(Self.most).filter {
            !root.isText(at: source.position(atByte: $0))
        }.compactMap { Self.comment(at: $0, in: source) }
        comments = found.filter { files.place(of: $0.range).file == files.file }
    }

    // MARK: Reading

    /// Where a `#` stands that begins such a comment, as far as the line alone tells.
    private static func places(in bytes: [UInt8]) -> [Int] {
        let mark = Array(mark.utf8)
        return bytes.indices.filter { index in
            guard bytes[index] == UInt8(ascii: "#"),
                index == 0 || isBlank(bytes[index - 1]) || isBreak(bytes[index - 1])
            else { return false }
            let word = bytes[(index + 1)...].drop(while: isBlank)
            guard word.starts(with: mark) else { return false }
            let end = word.startIndex + mark.count
            return end == bytes.count || isBlank(bytes[end]) || isBreak(bytes[end])
        }
    }

    private static func comment(at start: Int, in source: SourceText) -> Comment? {
        let bytes = source.bytes
        let end = bytes[start...].firstIndex(where: isBreak) ?? bytes.count
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
        let words = text.dropFirst().split { $0 == " " || $0 == "\t" }.dropFirst()
        let reason = words.dropFirst().joined(separator: " ")
        let range = source.range(ofBytes: start..<end)
        let before = bytes[..<start].reversed().prefix { !isBreak($0) }
        let isAlone = before.allSatisfy { isBlank($0) || $0 == 0xBF || $0 == 0xBB || $0 == 0xEF }
        return Comment(
            rule: words.first.map(String.init) ?? "",
            hasReason: reason.contains { $0.isLetter || $0.isNumber }, range: range,
            line: isAlone ? line(below: end, in: source) : range.start.line)
    }

    /// The next line that is no comment.
    private static func line(below end: Int, in source: SourceText) -> Int {
        let bytes = source.bytes
        var index = end
        while index < bytes.count {
            if isBlank(bytes[index]) || isBreak(bytes[index]) {
                index += 1
            } else if bytes[index] == UInt8(ascii: "#") {
                index = bytes[index...].firstIndex(where: isBreak) ?? bytes.count
            } else {
                break
            }
        }
        return source.position(atByte: index).line
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    // MARK: Applying

    /// What is left of findings, in their order.
    package func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        guard !comments.isEmpty else { return findings }
        return findings.filter { finding in
            !comments.contains { Self.switchesOff($0, finding, in: files.file) }
        }
    }

    /// What is wrong with the comments themselves.
    ///
    /// - Parameters:
    ///   - findings: all that was found in the file, before anything is switched off.
    ///   - isComplete: whether all rules could be looked at; of a file with errors some cannot.
    package func faults(among findings: [Diagnostic], isComplete: Bool) -> [Diagnostic] {
        comments.compactMap { comment in
            if let (rule, message, help) = Self.fault(of: comment, among: findings, in: files.file),
                isComplete || rule != .uselessIgnore
            {
                Diagnostic(
                    file: files.file, range: TextRange(comment.range), severity: .warning,
                    rule: rule.rawValue, message: message, help: help,
                    // It may stand beside somebody's name.
                    excerpt: showsLines
                        ? files.excerpt(around: comment.range.start, isPersonal: true) : nil)
            } else {
                nil
            }
        }
    }

    private static func fault(
        of comment: Comment, among findings: [Diagnostic], in file: String
    ) -> (DiagnosticRule, DiagnosticMessage, help: DiagnosticMessage)? {
        let name = comment.rule.shortened
        guard !name.isEmpty else {
            return (
                .invalidIgnore, "The comment does not say which rule it switches off.",
                "Write # hubsend:ignore, a rule and the reason."
            )
        }
        guard let rule = RuleDescription.named(comment.rule) else {
            return (
                .invalidIgnore, "There is no rule \"\(audience: name)\".",
                NearestName.nearest(to: comment.rule, among: RuleDescription.all.map(\.id))
                    .map { "Did you mean \"\($0)\"?" } ?? "\"hubsend rules\" lists them."
            )
        }
        guard comment.hasReason else {
            return (
                .invalidIgnore, "The comment does not say why \"\(name)\" is switched off here.",
                "Write the reason behind the rule, for those who read the file after you."
            )
        }
        if findings.contains(where: { switchesOff(comment, $0, in: file) }) { return nil }
        if rule.severity == .error {
            return (
                .invalidIgnore, "\"\(name)\" is an error, which cannot be switched off.",
                "Mend what it is about, and delete the comment."
            )
        }
        return (
            .uselessIgnore, "Nothing breaks the rule \"\(name)\" in line \(comment.line).",
            "Delete the comment, or put it on the line that it is about, or right above it."
        )
    }

    private static func switchesOff(
        _ comment: Comment, _ finding: Diagnostic, in file: String
    ) -> Bool {
        comment.hasReason && finding.rule == comment.rule && finding.severity != .error
            && finding.file == file && finding.range.line == comment.line
    }
}

extension YAMLNode {
    /// Whether a place belongs to a text within, rather than standing beside one.
    fileprivate func isText(at place: SourcePosition) -> Bool {
        switch content {
        case .scalar(let scalar):
            guard range.start <= place, place < range.end else { return false }
            // What stands behind the | or > that begins a block is a comment.
            let isBlock = scalar.style == .literal || scalar.style == .folded
            return !isBlock || place.line > range.start.line
        case .sequence(let items): return items.contains { $0.isText(at: place) }
        case .mapping(let entries):
            return entries.contains { $0.key.isText(at: place) || $0.value.isText(at: place) }
        }
    }
}
