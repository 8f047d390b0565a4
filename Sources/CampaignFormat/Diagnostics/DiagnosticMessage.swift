import CampaignCore

/// A sentence that knows which of its words are about people, so that these can be masked.
///
/// ```swift
/// "The username \"\(audience: name)\" has a space."
/// ```
package struct DiagnosticMessage: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A piece of the sentence.
    package enum Part: Hashable, Sendable {
        case plain(String)
        /// A username or a value of the audience.
        case audience(String)
        /// A path that somebody has to copy or to fix, or other words that are never a secret.
        case path(String)
        /// A file of this machine, as a person names it from the current folder; a word of a command is quoted for a shell.
        case file(String, isWord: Bool)

        /// As it stands in the sentence, where people are not masked.
        fileprivate var text: String {
            switch self {
            case .plain(let text), .audience(let text), .path(let text): text
            case .file(let path, let isWord):
                isWord ? ShellWord.quoted(path) : VisibleText.escape(path)
            }
        }
    }

    /// Collects the pieces.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { append(.plain(literal)) }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.plain(value.description))
        }

        /// Adds another sentence, or a part of one.
        package mutating func appendInterpolation(_ message: DiagnosticMessage) {
            for part in message.parts { append(part) }
        }

        /// Adds words that name a person or hold a person's value.
        package mutating func appendInterpolation(audience value: String) {
            parts.append(.audience(value))
        }

        /// Adds what stands where an audience's file should: the path of one, or else somebody's name.
        package mutating func appendInterpolation(audienceFile path: String) {
            parts.append(AudienceFile.isLikely(path: path) ? .path(path) : .audience(path))
        }

        /// Adds words that are never taken for a secret.
        package mutating func appendInterpolation(path value: String) {
            parts.append(.path(value))
        }

        /// Adds a file of this machine, which reports for a service name from the repository's folder.
        package mutating func appendInterpolation(file path: String, isWord: Bool = false) {
            parts.append(.file(path, isWord: isWord))
        }

        /// Plain pieces become one, so that equal sentences are equal whatever they were made of.
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

    /// What is wrong with a username; a very long one is not repeated.
    static func invalidUsername(_ text: String, _ fault: UsernameFault) -> DiagnosticMessage {
        if case .empty = fault { return "The username is empty." }
        guard text.unicodeScalars.count <= 2 * Username.maximumLength else {
            return "The username \(fault)."
        }
        if let word = MissingValueWord(text) {
            return "The username \"\(audience: text)\" is \(word.description)."
        }
        return "The username \"\(audience: text)\" \(fault)."
    }

    /// What to do about a username that a spreadsheet spoilt; nil for another one.
    static func helpForUsername(_ text: String) -> DiagnosticMessage? {
        switch MissingValueWord(text) {
        case .rounded:
            "The last digits are lost: import the names into the spreadsheet again, as text, before you export them."
        case .spreadsheetError: "Correct the formula in the spreadsheet, and export it again."
        case .tooNarrow, .nothing, .date, nil: nil
        }
    }

    /// The sentence with its paths taken for what names people.
    var namingPeople: DiagnosticMessage {
        var message = self
        message.parts = parts.map { if case .path(let text) = $0 { .audience(text) } else { $0 } }
        return message
    }

    /// The sentence with its files named from the repository's folder.
    func placed(in root: SourceRoot) -> DiagnosticMessage {
        var message = self
        message.parts = parts.map { part in
            guard case .file(let path, let isWord) = part else { return part }
            return .file(root.name(of: path), isWord: isWord)
        }
        return message
    }

    /// The sentence as it stands.
    package var text: String { text(maskingAudience: false) }

    /// The sentence.
    ///
    /// - Parameter masksAudience: whether usernames and values become `***`.
    package func text(maskingAudience masksAudience: Bool) -> String {
        parts.map { Self.text($0, masksAudience) }.joined()
    }

    private static func text(_ part: Part, _ masksAudience: Bool) -> String {
        if masksAudience, case .audience = part { "***" } else { part.text }
    }

    /// The sentence as it may be shown: secrets masked, and what cannot be seen written out.
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
    /// The text as a message repeats it: at most 80 characters.
    var shortened: String {
        let longest = 80
        guard unicodeScalars.count > longest else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(longest))) + "…"
    }
}
