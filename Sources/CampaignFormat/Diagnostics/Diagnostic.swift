import CampaignCore
import Files
import YAMLSyntax

/// Something to say about one place of a file; a fault in a campaign is such a value, not a Swift error.
package struct Diagnostic: Hashable, Sendable {
    /// How grave it is.
    package enum Severity: String, CaseIterable, Hashable, Sendable, Codable {
        /// The campaign is not sent.
        case error
        /// The campaign can be sent; a person should look.
        case warning
        /// The campaign is good; it could be better.
        case hint

        /// From the gravest on.
        fileprivate var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .hint: 2
            }
        }
    }

    /// A second place that it is about.
    package struct Related: Hashable, Sendable {
        package let message: DiagnosticMessage
        package let file: String
        package let range: TextRange

        package init(message: DiagnosticMessage, file: String, range: TextRange) {
            self.message = message
            self.file = file
            self.range = range
        }
    }

    /// A place of a campaign that leads to the file of a diagnostic.
    package struct Naming: Hashable, Sendable {
        /// The file's name as the campaign has it, such as `export:loyalty.csv`.
        package let name: String
        /// The file that names it.
        package let file: String
        /// Where that file names it.
        package let range: TextRange

        package init(_ name: String, in file: String, at range: TextRange) {
            self.name = name
            self.file = file
            self.range = range
        }

        /// A campaign that has its settings from a config, without saying so at any line.
        package init(config: String, of campaign: String) {
            self.init(
                Path.name(of: config) ?? config, in: campaign, at: TextRange(line: 1, column: 1))
        }
    }

    /// The file's path, as a person would name it from the current folder.
    package internal(set) var file: String
    package internal(set) var range: TextRange
    package let severity: Severity
    /// The rule's stable name in kebab-case.
    package let rule: String
    /// What is wrong, as full sentences.
    package internal(set) var message: DiagnosticMessage
    /// What to do about it, where there is something to add.
    package internal(set) var help: DiagnosticMessage?
    package internal(set) var related: [Related]
    /// If a config says something for all campaigns and breaks some by it, their paths; else empty.
    package internal(set) var campaigns: [String]
    /// The part of the source line to show; nil where it must not or cannot be shown.
    package internal(set) var excerpt: Excerpt?
    /// Where campaigns name the file; empty for a campaign file itself.
    package var namings: [Naming] = []
    /// The place in a file outside the repository, such as `export:loyalty.csv:3:1`, if ``file`` is the campaign that names it.
    private(set) var outsidePlace: String?

    package init(
        file: String, range: TextRange, severity: Severity, rule: String,
        message: DiagnosticMessage, help: DiagnosticMessage? = nil, related: [Related] = [],
        campaigns: [String] = [], excerpt: Excerpt? = nil
    ) {
        self.file = file
        self.range = range
        self.severity = severity
        self.rule = rule
        self.message = message
        self.help = help
        self.related = related
        self.campaigns = campaigns
        self.excerpt = excerpt
    }
}

extension Diagnostic: Comparable {
    /// Orders by file, line and column; the gravest first at the same place.
    package static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.range != right.range { return left.range < right.range }
        if left.severity != right.severity { return left.severity.rank < right.severity.rank }
        return left.rule < right.rule
    }
}

extension [Diagnostic] {
    /// Whether any of them keeps a campaign from being sent.
    package var hasErrors: Bool { contains { $0.severity == .error } }
}

extension Diagnostic {
    /// The part of a source line that shows a diagnostic's place.
    package struct Excerpt: Hashable, Sendable {
        /// How many characters are shown at most.
        static let longest = 160
        /// How many characters before the first one shown tell whether a secret began there.
        private static let reach = 2_048

        /// The text, without its line break.
        package let text: String
        /// The column of the first character of `text`; more than 1 where the line's start is left out.
        package let startColumn: Int
        package let isCutAtEnd: Bool
        /// Whether it names people or holds their values.
        package let isPersonal: Bool

        init(text: String, startColumn: Int, isCutAtEnd: Bool, isPersonal: Bool) {
            self.text = text
            self.startColumn = startColumn
            self.isCutAtEnd = isCutAtEnd
            self.isPersonal = isPersonal
        }

        init(_ source: SourceText, around position: SourcePosition, isPersonal: Bool = false) {
            let excerpt = source.excerpt(around: position, maximumLength: Self.longest)
            var text = excerpt.text
            if excerpt.startColumn > 1 {
                let wide = source.excerpt(around: position, maximumLength: 2 * Self.reach)
                text = Self.masked(
                    wide.text, leavingOut: excerpt.startColumn - wide.startColumn)
            }
            self.init(
                text: text, startColumn: excerpt.startColumn,
                isCutAtEnd: excerpt.isCutAtEnd, isPersonal: isPersonal)
        }

        /// Shows a line that is at hand.
        init(line: String, around column: Int, isPersonal: Bool) {
            let start = column > Self.longest * 3 / 4 ? column - Self.longest / 2 : 1
            let first = max(1, start - Self.reach)
            let rest = line.unicodeScalars.dropFirst(first - 1)
            let wide = rest.prefix(start - first + Self.longest)
            self.init(
                text: Self.masked(
                    String(String.UnicodeScalarView(wide)), leavingOut: start - first),
                startColumn: start, isCutAtEnd: rest.count > wide.count, isPersonal: isPersonal)
        }

        /// Masks before it cuts, since a part of a secret can no longer be recognised.
        private static func masked(_ text: String, leavingOut count: Int) -> String {
            let scalars = SecretMask.apply(to: text).unicodeScalars
            return String(
                String.UnicodeScalarView(scalars.dropFirst(max(0, count)).prefix(longest)))
        }
    }

    /// The same diagnostic with another excerpt, or with none.
    func showing(_ excerpt: Excerpt?) -> Diagnostic {
        var copy = self
        copy.excerpt = excerpt
        return copy
    }

    /// The same about a config, for all campaigns in which it was found.
    ///
    /// - Parameter campaigns: their files, of which the first few are shown.
    package func told(for campaigns: [String]) -> Diagnostic {
        let mostShown = 3
        let count: DiagnosticMessage =
            campaigns.count > mostShown
            ? " \(Figures.count(campaigns.count)) campaigns take it over." : ""
        var told = self
        told.message = "\(message)\(count)"
        told.related += campaigns.prefix(mostShown).map { path in
            Related(
                message: "This campaign takes it over.", file: path,
                range: TextRange(line: 1, column: 1))
        }
        told.campaigns = campaigns
        told.namings = campaigns.map { Naming(config: file, of: $0) }
        return told
    }
}

extension [Diagnostic] {
    /// Each diagnostic once: campaigns that share a file find the same in it.
    package var merged: [Diagnostic] {
        var places: [Diagnostic: Int] = [:]
        var merged: [Diagnostic] = []
        for diagnostic in self {
            var plain = diagnostic
            plain.namings = []
            if let place = places[plain] {
                merged[place].namings += diagnostic.namings
            } else {
                places[plain] = merged.count
                merged.append(diagnostic)
            }
        }
        return merged
    }
}

extension Diagnostic {
    /// The diagnostic as a service sees it that knows only the repository.
    ///
    /// - Returns: one diagnostic; or, for a file outside the repository, one for each campaign that names the file, at the line
    ///   that does.
    func placed(in root: SourceRoot) -> [Diagnostic] {
        var placed = self
        placed.message = message.placed(in: root)
        placed.help = help?.placed(in: root)
        placed.campaigns = campaigns.map(root.name)
        if root.contains(file) || namings.isEmpty {
            placed.file = root.name(of: file)
            placed.related = related.map { $0.placed(in: root, besides: placed) }
            return [placed]
        }
        placed.campaigns = []
        // The line of another file cannot be shown there.
        placed.excerpt = nil
        return namings.map { naming in
            placed.outsidePlace = "\(naming.name):\(range.line):\(range.column)"
            placed.file = root.name(of: naming.file)
            placed.range = naming.range
            placed.related = related.map { $0.placed(in: root, besides: placed) }
            return placed
        }
    }

    /// What is wrong, after the place in a file that lies outside the repository.
    func shownMessage(maskingAudience masksAudience: Bool) -> String {
        let place = outsidePlace.map { VisibleText.escape($0) + ": " } ?? ""
        return place + message.shown(maskingAudience: masksAudience)
    }
}

extension Diagnostic.Related {
    /// The note in the repository; if its own file lies outside, it stands where the diagnostic does and names its line.
    fileprivate func placed(in root: SourceRoot, besides diagnostic: Diagnostic) -> Self {
        let message = message.placed(in: root)
        guard !root.contains(file) else {
            return Self(message: message, file: root.name(of: file), range: range)
        }
        return Self(
            message: "\(root.name(of: file)):\(range.line): \(message)", file: diagnostic.file,
            range: diagnostic.range)
    }
}

extension Diagnostic {
    /// Counts the faults of a file that are not listed.
    ///
    /// - Parameters:
    ///   - count: how many they are.
    ///   - file: the file's path as shown.
    ///   - range: where the last one that is listed stands.
    static func tooManyFaults(_ count: Int, in file: String, at range: TextRange) -> Diagnostic {
        Diagnostic(
            file: file, range: range, severity: .error,
            rule: DiagnosticRule.tooManyFaults.rawValue,
            message: "There are \(Figures.count(count)) more faults in this file.",
            help: "Mend the ones above and check again.")
    }

    /// A file of which no line can be shown.
    ///
    /// - Parameters:
    ///   - error: why it cannot be read.
    package init(unreadable path: String, because error: InputFileError) {
        self.init(
            file: path, range: TextRange(line: 1, column: 1), severity: .error,
            rule: DiagnosticRule.unreadableFile.rawValue, message: error.message)
    }
}

extension Diagnostic {
    /// A file that no campaign names.
    ///
    /// - Parameter path: as a person would name it from the current folder.
    package init(unusedFile path: String) {
        self.init(
            file: path, range: TextRange(line: 1, column: 1), severity: .hint,
            rule: DiagnosticRule.unusedFile.rawValue, message: "No campaign names this file.",
            help: "Delete it, or name it; campaigns name other files of this folder.")
    }
}

/// A stretch of a file as editors count: lines and columns from 1, columns in characters (Unicode scalars).
package struct TextRange: Hashable, Sendable {
    package let line: Int
    package let column: Int
    /// The line of the place after the last character.
    package let endLine: Int
    /// The column of the place after the last character.
    package let endColumn: Int

    init(line: Int, column: Int, endLine: Int, endColumn: Int) {
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
    }

    /// A stretch within one line.
    init(line: Int, column: Int, length: Int = 0) {
        self.init(line: line, column: column, endLine: line, endColumn: column + length)
    }

    init(_ range: SourceRange) {
        self.init(
            line: range.start.line, column: range.start.column, endLine: range.end.line,
            endColumn: range.end.column)
    }
}

extension TextRange: Comparable {
    /// Orders by line, then column.
    package static func < (left: TextRange, right: TextRange) -> Bool {
        (left.line, left.column, left.endLine, left.endColumn)
            < (right.line, right.column, right.endLine, right.endColumn)
    }
}
