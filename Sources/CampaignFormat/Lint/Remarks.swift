import YAMLSyntax

/// Collects what rules say about a file that can be read.
struct Remarks {
    private let files: SourceFiles
    private(set) var list: [Diagnostic] = []

    /// - Parameter files: the file's text, and that of the config behind it.
    init(on files: SourceFiles) {
        self.files = files
    }

    /// Adds a remark, as grave as its rule is; one about the config is left out, which would come with each campaign.
    ///
    /// - Parameter isPersonal: whether the line may name people.
    mutating func add(
        _ rule: DiagnosticRule, at range: SourceRange, isPersonal: Bool = false,
        _ message: DiagnosticMessage, help: DiagnosticMessage? = nil
    ) {
        let place = files.place(of: range)
        guard place.file == files.file else { return }
        list.append(
            Diagnostic(
                file: place.file, range: place.range,
                severity: RuleDescription.of(rule)?.severity ?? .warning, rule: rule.rawValue,
                message: message, help: help,
                excerpt: files.excerpt(around: range.start, isPersonal: isPersonal)))
    }
}
