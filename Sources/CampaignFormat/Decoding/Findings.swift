import CampaignCore
import YAMLSyntax

/// Reads the values of one file and collects what is wrong with them.
struct Findings {
    /// Beyond this many, faults are counted and no longer kept.
    private static let most = 500

    /// The file's path as shown.
    let file: String
    let source: SourceText
    /// Whether lines of the file may be shown: not before it is known for one of ours.
    private var showsLines = false
    private(set) var diagnostics: [Diagnostic] = []
    /// How many faults there are, those that are not kept included.
    private(set) var errors = 0
    private var left = 0

    init(file: String, source: SourceText) {
        self.file = file
        self.source = source
    }

    /// Adds a fault; its help is made only if the fault is kept.
    mutating func error(
        _ rule: DiagnosticRule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> String? = nil,
        related: (message: DiagnosticMessage, range: SourceRange)? = nil
    ) {
        add(.error, rule.rawValue, at: range, message, help: help(), related: related)
    }

    /// Adds a warning.
    mutating func warning(
        _ rule: DiagnosticRule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> String? = nil
    ) {
        add(.warning, rule.rawValue, at: range, message, help: help(), related: nil)
    }

    /// Adds what is wrong with the file as YAML.
    mutating func add(_ fault: YAMLFault) {
        let related = fault.related.map { ("\($0.message)" as DiagnosticMessage, $0.range) }
        add(
            .error, fault.rule.rawValue, at: fault.range, "\(fault.message)", help: fault.help,
            related: related)
    }

    /// Adds what is wrong in another file.
    mutating func add(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error { errors += 1 }
        diagnostics.append(diagnostic)
    }

    private mutating func add(
        _ severity: Diagnostic.Severity, _ rule: String, at range: SourceRange,
        _ message: DiagnosticMessage, help: @autoclosure () -> String?,
        related: (message: DiagnosticMessage, range: SourceRange)?
    ) {
        if severity == .error { errors += 1 }
        guard diagnostics.count < Self.most else {
            left += 1
            return
        }
        let others = related.map {
            Diagnostic.Related(message: $0.message, file: file, range: TextRange($0.range))
        }
        diagnostics.append(
            Diagnostic(
                file: file, range: TextRange(range), severity: severity, rule: rule,
                message: message, help: help(), related: others.map { [$0] } ?? [],
                excerpt: showsLines ? Diagnostic.Excerpt(source, around: range.start) : nil))
    }

    /// All of them in order, with a last word on those that were not kept.
    ///
    /// - Parameter isPersonal: whether the lines of a place name people.
    /// - Returns: diagnostics by file, line and column.
    func finished(isPersonal: (TextRange) -> Bool) -> [Diagnostic] {
        let sorted = diagnostics.sorted().map { diagnostic in
            guard diagnostic.file == file, var excerpt = diagnostic.excerpt,
                isPersonal(diagnostic.range)
            else { return diagnostic }
            excerpt.isPersonal = true
            return diagnostic.showing(excerpt)
        }
        guard left > 0, let last = sorted.last else { return sorted }
        let rest = Diagnostic(
            file: file, range: last.range, severity: .error,
            rule: DiagnosticRule.tooManyFaults.rawValue,
            message: "There are \(Figures.count(left)) more faults in this file.",
            help: "Mend the ones above and check again.")
        return sorted + [rest]
    }
}

/// Reading a file as YAML.
extension Findings {
    /// Begins with a file; its text is parsed by ``root(of:knownBy:)``.
    init(_ input: InputFile) {
        self.init(file: input.path, source: SourceText(input.bytes))
    }

    /// The file's value; nil after reporting why there is none.
    ///
    /// - Parameters:
    ///   - input: the file.
    ///   - telling: the keys without which it is none of ours, so that no line of it is shown.
    /// - Returns: what the file holds.
    mutating func root(of input: InputFile, knownBy telling: TellingKeys) -> YAMLNode? {
        document(of: input).flatMap { root(of: $0, knownBy: telling) }
    }

    /// The file as YAML, nothing of which is reported yet; nil after reporting that it is too large.
    mutating func document(of input: InputFile) -> YAMLDocument? {
        let start = SourceRange(start: .start, end: .start)
        guard input.size <= input.limit else {
            error(
                .tooLarge, at: start,
                "The file has \(Figures.count(input.size)) bytes; at most \(Figures.count(input.limit)) are read.",
                help: "Move long lists to files of their own.")
            return nil
        }
        return YAMLParser.parse(input.bytes, limits: YAMLLimits(bytes: input.limit))
    }

    /// The value of a file that was parsed, as ``root(of:knownBy:)`` has it.
    mutating func root(of document: YAMLDocument, knownBy telling: TellingKeys) -> YAMLNode? {
        showsLines = telling.stand(in: document)
        for fault in document.faults { add(fault) }
        if document.root == nil, document.faults.isEmpty {
            error(
                .emptyFile, at: SourceRange(start: .start, end: .start), "The file is empty.")
        }
        return document.root
    }
}
