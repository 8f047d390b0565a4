/// Something to say about one place of a file; a fault in a campaign is such a value, not a Swift error.
package struct Diagnostic: Hashable, Sendable {
    /// How grave it is.
    package enum Severity: String, Hashable, Sendable, Codable {
        /// The campaign is not sent.
        case error
        /// The campaign can be sent; a person should look.
        case warning
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

    /// The file's path, as a person would name it from the current folder.
    package let file: String
    package let range: TextRange
    package let severity: Severity
    /// The rule's stable name in kebab-case.
    package let rule: String
    /// What is wrong, as full sentences.
    package let message: DiagnosticMessage
    /// What to do about it, where there is something to add.
    package let help: String?
    package let related: [Related]
    /// The part of the source line to show; nil where it must not or cannot be shown.
    package let excerpt: Excerpt?

    package init(
        file: String, range: TextRange, severity: Severity, rule: String,
        message: DiagnosticMessage, help: String? = nil, related: [Related] = [],
        excerpt: Excerpt? = nil
    ) {
        self.file = file
        self.range = range
        self.severity = severity
        self.rule = rule
        self.message = message
        self.help = help
        self.related = related
        self.excerpt = excerpt
    }
}

extension Diagnostic: Comparable {
    /// Orders by file, line and column; errors before warnings at the same place.
    package static func < (left: Diagnostic, right: Diagnostic) -> Bool {
        if left.file != right.file { return left.file < right.file }
        if left.range != right.range { return left.range < right.range }
        if left.severity != right.severity { return left.severity == .error }
        return left.rule < right.rule
    }
}

extension [Diagnostic] {
    /// Whether any of them keeps a campaign from being sent.
    package var hasErrors: Bool { contains { $0.severity == .error } }
}
