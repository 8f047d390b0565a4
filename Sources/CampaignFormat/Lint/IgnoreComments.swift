import CampaignCore
import YAMLSyntax

/// Comments that switch off a rule for one line: `# hubsend:ignore RULE reason`.
///
/// They count for their line or, if alone on it, for the next line that is not a comment. They
/// switch off warnings and hints, never errors.
package struct IgnoreComments: Sendable {
    private struct Comment: Sendable {
        let rule: String
        let hasReason: Bool
        let range: SourceRange
        let line: Int
    }

    private static let mark = "hubsend:ignore"
    /// Found or not depending on the machine, so comments about it are never called useless.
    private static let undecided = DiagnosticRule.notChecked.rawValue
    /// A file with more has other problems.
    private static let most = 1_000

    private let files: SourceFiles
    private let comments: [Comment]
    private let showsLines: Bool

    package init() {
        files = SourceFiles(file: "")
        comments = []
        showsLines = false
    }

    /// - Parameter showsLines: false for a config, which has secrets.
    init(in files: SourceFiles, root: YAMLNode, showsLines: Bool = true) {
        self.files = files
        self.showsLines = showsLines
        let source = files.text
        let texts = TextPlaces(in: root, of: source.bytes)
        let starts = Self.places(in: source.bytes).prefix(Self.most).filter { !texts.contain($0) }
        let lines = CommentLines(at: starts, in: source.bytes).comments
        let nexts = starts.dropFirst() + [source.bytes.count]
        comments = zip(lines, nexts).map { Self.comment($0, before: $1, in: source) }
            .filter { files.place(of: $0.range).file == files.file }
    }

    // MARK: Reading

    /// Judged by the line alone.
    private static func places(in bytes: [UInt8]) -> [Int] {
        let mark = Array(mark.utf8)
        return bytes.indices.filter { index in
            guard bytes[index] == UInt8(ascii: "#"),
                index == 0 || isBlankOrBreak(bytes[index - 1])
            else { return false }
            let word = bytes[(index + 1)...].drop(while: CommentLines.isBlank)
            guard word.starts(with: mark) else { return false }
            let end = word.startIndex + mark.count
            return end == bytes.count || isBlankOrBreak(bytes[end])
        }
    }

    /// - Parameter next: where the next comment begins, perhaps in the line, or the file's end.
    private static func comment(
        _ comment: CommentLines.Comment, before next: Int, in source: SourceText
    ) -> Comment {
        let bytes = source.bytes
        let end = min(comment.end, next)
        let text = String(decoding: bytes[comment.start..<end], as: UTF8.self)
        let words = text.dropFirst().split { $0 == " " || $0 == "\t" }.dropFirst()
        let reason = words.dropFirst().joined(separator: " ")
        let range = source.range(ofBytes: comment.start..<end)
        return Comment(
            rule: words.first.map(String.init) ?? "",
            hasReason: reason.contains { $0.isLetter || $0.isNumber }, range: range,
            line: isAlone(comment.start, in: bytes)
                ? source.position(atByte: comment.below).line : range.start.line)
    }

    private static func isAlone(_ start: Int, in bytes: [UInt8]) -> Bool {
        var start = start
        while start > 0, CommentLines.isBlank(bytes[start - 1]) { start -= 1 }
        guard start > 0, !CommentLines.isBreak(bytes[start - 1]) else { return true }
        // The byte order mark.
        return start == 3 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
    }

    private static func isBlankOrBreak(_ byte: UInt8) -> Bool {
        CommentLines.isBlank(byte) || CommentLines.isBreak(byte)
    }

    // MARK: Applying

    package func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        guard !comments.isEmpty else { return findings }
        let places = Set(comments.filter(\.hasReason).map(Place.init))
        return findings.filter { !isCovered($0) || !places.contains(Place($0)) }
    }

    /// - Parameters:
    ///   - findings: everything found, before anything is switched off.
    ///   - isComplete: false for a file with errors, in which some rules are not checked.
    ///   - unknown: rules that depend on other files.
    package func faults(
        among findings: [Diagnostic], isComplete: Bool, unknown: Set<String> = []
    ) -> [Diagnostic] {
        let unknown = unknown.union([Self.undecided])
        guard !comments.isEmpty else { return [] }
        let places = Set(findings.filter(isCovered).map(Place.init))
        return comments.compactMap { comment in
            if let (rule, message, help) = Self.fault(of: comment, among: places),
                rule != .uselessIgnore || isComplete && !unknown.contains(comment.rule)
            {
                Diagnostic(
                    file: files.file, range: TextRange(comment.range), severity: .warning,
                    rule: rule.rawValue, message: message, help: help,
                    // The line may have somebody's name.
                    excerpt: showsLines
                        ? files.excerpt(around: comment.range.start, isPersonal: true) : nil)
            } else {
                nil
            }
        }
    }

    private static func fault(
        of comment: Comment, among findings: Set<Place>
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
        if findings.contains(Place(comment)) { return nil }
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
