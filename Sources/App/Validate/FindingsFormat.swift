enum FindingsFormat: String, CaseIterable, Sendable {
    /// For people: place and message, the line with a caret, and what to do.
    case text
    case json
    /// For services that track findings (SARIF 2.1.0).
    case sarif
    /// Workflow commands, which GitHub shows as annotations.
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
