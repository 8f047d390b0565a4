import CampaignCore
import Files

/// A finding about one place in a file.
package struct Diagnostic: Hashable, Sendable {
    package enum Severity: String, CaseIterable, Hashable, Sendable, Codable {
        /// The campaign is not sent.
        case error
        /// The campaign can be sent, but a person should check the finding.
        case warning
        /// The campaign is valid, but could be improved.
        case hint

        fileprivate var rank: Int {
            switch self {
            case .error: 0
            case .warning: 1
            case .hint: 2
            }
        }
    }

    /// A second place that the finding refers to.
    package struct Related: Hashable, Sendable {
        package let message: DiagnosticMessage
        package let file: String
        package let range: TextRange
    }

    /// A place in a campaign that names the finding's file.
    package struct Naming: Hashable, Sendable {
        /// The name that the campaign uses, such as `export:loyalty.csv`.
        package let name: String
        package let file: String
        package let range: TextRange

        package init(_ name: String, in file: String, at range: TextRange) {
            self.name = name
            self.file = file
            self.range = range
        }

        /// Uses the start of the campaign, because a campaign uses its config without naming it.
        package init(config: String, of campaign: String) {
            self.init(
                Path.name(of: config) ?? config, in: campaign, at: TextRange(line: 1, column: 1))
        }
    }

    /// The path as a person would write it from the current folder.
    package internal(set) var file: String
    package internal(set) var range: TextRange
    package let severity: Severity
    /// The name of the rule, which is stable and in kebab-case.
    package let rule: String
    package internal(set) var message: DiagnosticMessage
    package internal(set) var help: DiagnosticMessage?
    package internal(set) var related: [Related]
    /// The campaigns that a finding in their config affects; otherwise empty.
    package internal(set) var campaigns: [String] = []
    /// nil if the line must not or cannot be shown.
    package internal(set) var excerpt: Excerpt?
    /// The places that name the finding's file; empty for a campaign file itself.
    package var namings: [Naming] = []
    /// The place of a finding outside the repository, such as `export:loyalty.csv:3:1`, if ``file``
    /// is the campaign that names that file.
    private(set) var outsidePlace: String?

    /// Uses the rule's severity unless another is given.
    init(
        _ rule: Rule, _ severity: Severity? = nil, in file: String, at range: TextRange,
        _ message: DiagnosticMessage, help: DiagnosticMessage? = nil, related: [Related] = [],
        excerpt: Excerpt? = nil
    ) {
        assert(Rule.named(rule.id) == rule, "\(rule.id) is not in the list of rules.")
        self.file = file
        self.range = range
        self.severity = severity ?? rule.severity
        self.rule = rule.id
        self.message = message
        self.help = help
        self.related = related
        self.excerpt = excerpt
    }
}

extension Diagnostic: Comparable {
    /// Orders by file, line and column, with the most severe first at the same place.
    package static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.range != right.range { return left.range < right.range }
        if left.severity != right.severity { return left.severity.rank < right.severity.rank }
        return left.rule < right.rule
    }
}

extension [Diagnostic] {
    package var hasErrors: Bool { contains { $0.severity == .error } }
}

extension Diagnostic {
    package struct Excerpt: Hashable, Sendable {
        /// The maximum number of characters in an excerpt.
        static let longest = 160
        /// How many characters before the shown part are searched for the beginning of a secret.
        private static let reach = 2_048

        package let text: String
        /// The first column of the text, which is more than 1 if the line's start is cut off.
        package let startColumn: Int
        package let isCutAtEnd: Bool
        /// Whether the line names people or contains their values.
        package let isPersonal: Bool

        /// Masks text that looks like a secret.
        init(text: String, startColumn: Int, isCutAtEnd: Bool, isPersonal: Bool) {
            self.text = SecretMask.apply(to: text)
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

        /// The part around a column, with at most `most` characters.
        func cut(to most: Int, around column: Int) -> Excerpt {
            let scalars = text.unicodeScalars
            guard scalars.count > most else { return self }
            let place = column - startColumn
            let first = place > most / 4 * 3 ? min(place - most / 2, scalars.count - most) : 0
            return Excerpt(
                text: String(String.UnicodeScalarView(scalars.dropFirst(first).prefix(most))),
                startColumn: startColumn + first,
                isCutAtEnd: isCutAtEnd || first + most < scalars.count, isPersonal: isPersonal)
        }

        /// Masks before cutting, since a part of a secret can no longer be recognised.
        private static func masked(_ text: String, leavingOut count: Int) -> String {
            let scalars = SecretMask.apply(to: text).unicodeScalars
            return String(
                String.UnicodeScalarView(scalars.dropFirst(max(0, count)).prefix(longest)))
        }
    }

    func showing(_ excerpt: Excerpt?) -> Diagnostic {
        var copy = self
        copy.excerpt = excerpt
        return copy
    }

    /// Whether both report the same problem at the same place, regardless of what else they show.
    package func isSame(as other: Diagnostic) -> Bool {
        (rule, file, range, message) == (other.rule, other.file, other.range, other.message)
    }

    /// Adds the campaigns that a finding in their config affects.
    package func affecting(_ campaigns: [String]) -> Diagnostic {
        let mostShown = 3
        let count: DiagnosticMessage =
            campaigns.count > mostShown
            ? " It affects \(Figures.count(campaigns.count)) campaigns." : ""
        var copy = self
        copy.message = "\(message)\(count)"
        copy.related += campaigns.prefix(mostShown).map { path in
            Related(
                message: "It affects this campaign.", file: path,
                range: TextRange(line: 1, column: 1))
        }
        copy.campaigns = campaigns
        copy.namings = campaigns.map { Naming(config: file, of: $0) }
        return copy
    }
}

extension [Diagnostic] {
    /// The findings without repeats: campaigns that share a file have the same findings in it.
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
    /// Converts the finding for a service that only knows the files of the repository.
    ///
    /// A finding in a file outside the repository becomes one finding for each campaign that names
    /// the file, at that line.
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
        // The excerpt would show a line of another file.
        placed.excerpt = nil
        return namings.map { naming in
            placed.outsidePlace = "\(naming.name):\(range.line):\(range.column)"
            placed.file = root.name(of: naming.file)
            placed.range = naming.range
            placed.related = related.map { $0.placed(in: root, besides: placed) }
            return placed
        }
    }

    /// The message; it begins with the place if the file is outside the repository.
    func shownMessage(maskingAudience masksAudience: Bool) -> String {
        let place = outsidePlace.map { VisibleText.escape($0) + ": " } ?? ""
        return place + message.shown(maskingAudience: masksAudience)
    }
}

extension Diagnostic.Related {
    /// A note about a file outside the repository moves to the finding's place and names its own
    /// line.
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
    /// Adds the number of findings that are not listed to the last listed finding.
    static func tooManyFaults(_ count: Int, in file: String, at range: TextRange) -> Diagnostic {
        Diagnostic(
            .tooManyFaults, in: file, at: range,
            "This file has \(Figures.count(count, "more finding", "more findings")).",
            help: "Fix the findings above, then check again.")
    }

    package init(unreadable path: String, because error: InputFileError) {
        self.init(.unreadableFile, in: path, at: TextRange(line: 1, column: 1), error.message)
    }
}

/// A range as editors show it: counted from 1, in characters (Unicode scalars).
package struct TextRange: Hashable, Sendable {
    package let line: Int
    package let column: Int
    /// The end is the place after the last character.
    package let endLine: Int
    package let endColumn: Int

    init(line: Int, column: Int, endLine: Int, endColumn: Int) {
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
    }

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
    package static func < (left: TextRange, right: TextRange) -> Bool {
        (left.line, left.column, left.endLine, left.endColumn)
            < (right.line, right.column, right.endLine, right.endColumn)
    }
}
