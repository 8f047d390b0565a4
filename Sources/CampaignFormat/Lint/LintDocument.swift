import YAMLSyntax

struct Remarks {
    private let files: SourceFiles
    private(set) var list: [Diagnostic] = []

    init(on files: SourceFiles) {
        self.files = files
    }

    /// In the file, not in the config after it.
    func areAbout(_ range: SourceRange) -> Bool { files.place(of: range).file == files.file }

    /// Leaves out remarks about the config, which would come with each campaign.
    mutating func add(
        _ rule: DiagnosticRule, at range: SourceRange, isPersonal: Bool = false,
        _ message: DiagnosticMessage, help: DiagnosticMessage? = nil
    ) {
        guard areAbout(range) else { return }
        let place = files.place(of: range)
        list.append(
            Diagnostic(
                file: place.file, range: place.range,
                severity: RuleDescription.of(rule)?.severity ?? .warning, rule: rule.rawValue,
                message: message, help: help,
                excerpt: files.excerpt(around: range.start, isPersonal: isPersonal)))
    }
}
