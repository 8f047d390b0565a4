import CampaignCore

/// A sentence that marks words about people for masking: `"\(audience: name)"`.
package struct DiagnosticMessage: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Part: Hashable, Sendable {
        case plain(String)
        /// A username or a value of the audience.
        case audience(String)
        /// A path, which is never masked as a secret, because people have to copy or fix it.
        case path(String)
        /// A path relative to the current folder; in a command, it is quoted for the shell.
        case file(String, isWord: Bool)

        fileprivate var text: String {
            switch self {
            case .plain(let text), .audience(let text), .path(let text): text
            case .file(let path, let isWord):
                isWord ? ShellWord.quoted(path) : VisibleText.escape(path)
            }
        }
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { append(.plain(literal)) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.plain(value.description))
        }

        package mutating func appendInterpolation(_ message: DiagnosticMessage) {
            for part in message.parts { append(part) }
        }

        /// Names a person or contains a person's value.
        package mutating func appendInterpolation(audience value: String) {
            parts.append(.audience(value))
        }

        /// The path of an audience file, or somebody's name.
        package mutating func appendInterpolation(audienceFile path: String) {
            parts.append(AudienceFile.isLikely(path: path) ? .path(path) : .audience(path))
        }

        /// Appends a path, which is never masked as a secret.
        package mutating func appendInterpolation(path value: String) {
            parts.append(.path(value))
        }

        /// A path that reports for a service show relative to the repository's folder.
        package mutating func appendInterpolation(file path: String, isWord: Bool = false) {
            parts.append(.file(path, isWord: isWord))
        }

        /// Adjacent plain parts are merged, so that equal sentences compare equal regardless of how
        /// they were built.
        private mutating func append(_ part: Part) {
            guard case .plain(let text) = part else {
                parts.append(part)
                return
            }
            guard !text.isEmpty else { return }
            if case .plain(let before)? = parts.last {
                parts[parts.count - 1] = .plain(before + text)
            } else {
                parts.append(part)
            }
        }
    }

    package private(set) var parts: [Part]

    package init(stringLiteral value: String) {
        parts = [.plain(value)]
    }

    package init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// A very long name is not repeated.
    static func invalidUsername(_ text: String, _ problem: UsernameError) -> DiagnosticMessage {
        if case .empty = problem { return "The username is empty." }
        guard text.unicodeScalars.count <= 2 * Username.maximumLength else {
            return "The username \(problem)."
        }
        if let word = MissingValueWord(text) {
            return "The username \"\(audience: text)\" is \(word.description)."
        }
        return "The username \"\(audience: text)\" \(problem)."
    }

    /// nil unless the username was damaged by an export or is a word for everybody.
    static func helpForUsername(_ text: String) -> DiagnosticMessage? {
        if text == "*" { return "\(RightForm.noBroadcast)" }
        return switch MissingValueWord(text) {
        case .rounded:
            "The last digits are lost; import the names into the spreadsheet again as text, then export them again."
        case .spreadsheetError: "Correct the formula in the spreadsheet, and export it again."
        case .mergeField:
            "Fill in the merge fields in the tool that creates the table, and export it again."
        case .lost: "Export the table as UTF-8."
        case .tooNarrow, .nothing, .notAvailable, .date, nil: nil
        }
    }

    /// The message, in which paths are masked in the same way as people's names.
    var namingPeople: DiagnosticMessage {
        var message = self
        message.parts = parts.map { if case .path(let text) = $0 { .audience(text) } else { $0 } }
        return message
    }

    /// The message with paths relative to the repository's folder.
    func placed(in root: SourceRoot) -> DiagnosticMessage {
        var message = self
        message.parts = parts.map { part in
            guard case .file(let path, let isWord) = part else { return part }
            return .file(root.name(of: path), isWord: isWord)
        }
        return message
    }

    package var text: String { text(maskingAudience: false) }

    /// The text of the message; if masked, usernames and values are replaced with `***`.
    package func text(maskingAudience masksAudience: Bool) -> String {
        parts.map { Self.text($0, masksAudience) }.joined()
    }

    private static func text(_ part: Part, _ masksAudience: Bool) -> String {
        if masksAudience, case .audience = part { "***" } else { part.text }
    }

    /// The text with secrets masked and invisible characters escaped.
    package func shown(maskingAudience masksAudience: Bool) -> String {
        var shown = ""
        var pending = ""
        for part in parts {
            switch part {
            case .plain, .audience: pending += Self.text(part, masksAudience)
            case .path, .file:
                shown += SecretMask.apply(to: pending) + part.text
                pending = ""
            }
        }
        return VisibleText.escape(shown + SecretMask.apply(to: pending))
    }
}

extension String {
    /// The text, shortened to 80 characters for a message.
    var shortened: String {
        let longest = 80
        guard unicodeScalars.count > longest else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(longest))) + "…"
    }
}
