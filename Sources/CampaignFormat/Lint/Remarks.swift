import YAMLSyntax

/// Collects what rules say about a file that can be read.
struct Remarks {
    private let files: SourceFiles
    private(set) var list: [Diagnostic] = []

    /// - Parameter files: the file's text, and that of the config behind it.
    init(on files: SourceFiles) {
        self.files = files
    }

    /// Whether a place is in the file, rather than in the config behind it.
    func areAbout(_ range: SourceRange) -> Bool { files.place(of: range).file == files.file }

    /// Adds a remark, as grave as its rule is; one about the config is left out, which would come with each campaign.
    ///
    /// - Parameter isPersonal: whether the line may name people.
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
