package import Settings

/// How findings are written.
package enum FindingsFormat: String, CaseIterable, Sendable {
    /// For people: place and sentence, the line, a caret, and what to do.
    case text
    /// An array of findings.
    case json
    /// A log for services that keep track of findings (SARIF 2.1.0).
    case sarif
    /// Workflow commands, which GitHub shows beside the lines.
    case github
    /// A report for build servers.
    case junit

    /// The format that is used when no other is asked for: inside GitHub Actions, its own.
    package static func standard(for invocation: Invocation) -> FindingsFormat {
        invocation["GITHUB_ACTIONS"] == "true" ? .github : .text
    }

    /// The form of a preview or a list.
    package init(_ format: ListFormat) {
        self =
            switch format {
            case .text: .text
            case .json: .json
            }
    }
}
