import CampaignCore

final class Findings {
    /// Findings beyond this number are only counted.
    private static let most = 500

    /// The file's text, followed by the text of the config whose `defaults` it uses.
    private(set) var files: SourceFiles
    /// False until the file's keys show that it is a hubsend file, because lines of other files
    /// must not get into a log.
    private var showsLines = false
    private var diagnostics: [Diagnostic] = []
    /// The number of errors, including those beyond the limit.
    private(set) var errors = 0
    /// The number of errors about files that are not on this host.
    private var absences = 0
    private var left = 0

    init(_ input: InputFile) {
        files = SourceFiles(file: input.path)
    }

    /// Whether the only errors are about files that are not on this host.
    var lackOnlyFiles: Bool { errors > 0 && errors == absences }

    var file: String { files.file }
    /// The text that ranges of findings refer to; empty until the file is parsed.
    var source: SourceText { files.text }

    /// Joins the config's `defaults` to a campaign; findings about defaults point to the config.
    func join(_ defaults: CampaignDefaults, to root: YAMLNode, in folder: SafeFolder) -> YAMLNode {
        files.append(defaults.source, of: defaults.file, people: defaults.people)
        return defaults.joined(to: root, files: folder) { files.place(ofConfig: $0) }
    }

    // MARK: Reading the file as YAML

    /// Returns nil after reporting why the file has no root; findings show lines only if the file
    /// has the `telling` keys.
    func root(of input: InputFile, knownBy telling: IdentifyingKeys) -> YAMLNode? {
        document(of: input).flatMap { root(of: $0, knownBy: telling) }
    }

    /// Returns nil after reporting that the file is too large.
    func document(of input: InputFile) -> YAMLDocument? {
        let start = SourceRange(start: .start, end: .start)
        guard input.size <= input.limit else {
            error(
                .tooLarge, at: start,
                "The file has \(Figures.count(input.size)) bytes; the limit is \(Figures.count(input.limit)) bytes.",
                help: "Move long lists to separate files.")
            return nil
        }
        let document = YAMLParser.parse(input.bytes, limits: YAMLLimits(bytes: input.limit))
        files.take(document.source)
        return document
    }

    /// Returns the root, or the readable part of a campaign with a syntax error; nil after
    /// reporting why the file cannot be read.
    func root(of document: YAMLDocument, knownBy telling: IdentifyingKeys) -> YAMLNode? {
        showsLines = telling.stand(in: document)
        if let shape = telling.shapeWithPeople { notePeople(in: document, shape) }
        for problem in document.errors { add(problem) }
        if document.root == nil, document.errors.isEmpty {
            error(
                .emptyFile, at: SourceRange(start: .start, end: .start), "The file is empty.")
        }
        // A config is never read partially, because its secrets are only known once all of it has
        // been read.
        guard document.root == nil, telling == .campaign, showsLines else { return document.root }
        return document.remains
    }

    private func notePeople(in document: YAMLDocument, _ shape: FileShape) {
        if let root = document.root {
            files.take(people: PeopleLines(in: root, of: shape).ranges)
        }
        // A part that could not be read may name people, and so may the value of a duplicate key.
        if document.root == nil || !document.errors.isEmpty { files.noteUnreadablePart() }
    }

    // MARK: Collecting

    /// The help is only composed if the finding is within the limit.
    func error(
        _ rule: Rule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> DiagnosticMessage? = nil,
        related: (message: DiagnosticMessage, range: SourceRange)? = nil,
        note other: Diagnostic.Related? = nil
    ) {
        add(
            .error, rule, at: range, message, help: help(),
            related: related.map { note($0.message, at: $0.range) } ?? other)
    }

    func error(
        _ problem: FileReferenceError, at range: SourceRange, _ message: DiagnosticMessage,
        help: DiagnosticMessage?
    ) {
        error(problem.rule, at: range, message, help: help)
        if problem.isAbsence { absences += 1 }
    }

    func warning(
        _ rule: Rule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> DiagnosticMessage? = nil,
        related: (message: DiagnosticMessage, range: SourceRange)? = nil
    ) {
        add(
            .warning, rule, at: range, message, help: help(),
            related: related.map { note($0.message, at: $0.range) })
    }

    func add(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error { errors += 1 }
        diagnostics.append(diagnostic)
    }

    private func add(_ problem: YAMLError) {
        add(
            .error, problem.rule, at: problem.range, Self.message(of: problem),
            help: problem.help.map { "\($0)" },
            related: problem.related.map { note("\($0.message)", at: $0.range) })
    }

    /// A key that no hubsend file has may be somebody's name.
    private static func message(of problem: YAMLError) -> DiagnosticMessage {
        guard let key = problem.key, !FileShape.keys.contains(key),
            let place = problem.message.firstRange(of: "\"\(key)\"")
        else { return "\(problem.message)" }
        return
            "\(problem.message[..<place.lowerBound])\"\(audience: key)\"\(problem.message[place.upperBound...])"
    }

    private func add(
        _ severity: Diagnostic.Severity, _ rule: Rule, at range: SourceRange,
        _ message: DiagnosticMessage, help: @autoclosure () -> DiagnosticMessage?,
        related: Diagnostic.Related?
    ) {
        if severity == .error { errors += 1 }
        guard diagnostics.count < Self.most else {
            left += 1
            return
        }
        diagnostics.append(
            files.finding(
                rule, severity, at: range, showsLine: showsLines, message, help: help(),
                related: related.map { [$0] } ?? []))
    }

    func note(_ message: DiagnosticMessage, at range: SourceRange) -> Diagnostic.Related {
        let place = files.place(of: range)
        return Diagnostic.Related(message: message, file: place.file, range: place.range)
    }

    // MARK: The end

    /// Returns the sorted findings, followed by a finding with the number of those beyond the
    /// limit.
    func finished() -> [Diagnostic] {
        let sorted = diagnostics.sorted()
        guard left > 0, let last = sorted.last else { return sorted }
        return sorted + [.tooManyFaults(left, in: file, at: last.range)]
    }
}
