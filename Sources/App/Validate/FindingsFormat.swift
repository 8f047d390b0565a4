enum FindingsFormat: String, CaseIterable, Sendable {
    /// Text for people: the position and the message, the line with a caret, and what to do.
    case text
    case json
    /// SARIF 2.1.0, for services that track findings.
    case sarif
    /// Workflow commands, which GitHub shows as annotations.
    case github
    case junit

    /// The default, which is GitHub's format inside GitHub Actions.
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
