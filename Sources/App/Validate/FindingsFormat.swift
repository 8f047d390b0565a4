enum FindingsFormat: String, CaseIterable, Sendable {
    /// For people: place and sentence, the line, a caret, and what to do.
    case text
    case json
    /// A log for services that track findings (SARIF 2.1.0).
    case sarif
    /// Workflow commands, which GitHub shows next to the lines.
    case github
    case junit

    /// The default: GitHub's format inside GitHub Actions.
    static func standard(for invocation: Invocation) -> FindingsFormat {
        invocation["GITHUB_ACTIONS"] == "true" ? .github : .text
    }

    init(_ format: ListFormat) {
        self =
            switch format {
            case .text: .text
            case .json: .json
            }
    }
}
