import CampaignCore
import YAMLSyntax

/// Collects what is wrong with one file.
final class Findings {
    /// Faults beyond this number are counted and not kept.
    private static let most = 500

    /// The file's text, and that of the config whose `defaults` it takes over.
    private(set) var files: SourceFiles
    /// Whether lines of the file may be shown: not before its keys say that it is one of ours.
    private var showsLines = false
    private var diagnostics: [Diagnostic] = []
    /// How many faults there are, those that are not kept included.
    private(set) var errors = 0
    /// How many of the faults are only that a file is not on this host.
    private(set) var absences = 0
    private var left = 0
    /// The kind of campaign that the file says it is; nil where it does not say it, or is no campaign.
    var kind: CampaignKind?

    /// Begins with a file, of which nothing is parsed yet.
    init(_ input: InputFile) {
        files = SourceFiles(file: input.path)
    }

    /// The file's path as shown.
    var file: String { files.file }
    /// What places of findings are in; empty until the file is parsed.
    var source: SourceText { files.text }

    /// Joins what the config's `defaults` say to a campaign; findings about it stand in the config.
    ///
    /// - Parameters:
    ///   - defaults: what they say.
    ///   - root: the campaign's top.
    ///   - folder: where its files lie.
    func join(_ defaults: CampaignDefaults, to root: YAMLNode, in folder: SafeFolder) -> YAMLNode {
        files.append(defaults.source, of: defaults.file, people: defaults.people)
        return defaults.joined(to: root, files: folder) { files.place(ofConfig: $0) }
    }

    // MARK: Reading the file as YAML

    /// The file's value; nil after reporting why there is none.
    ///
    /// - Parameters:
    ///   - telling: the keys that a file of ours has; no line of a file without them is shown.
    func root(of input: InputFile, knownBy telling: TellingKeys) -> YAMLNode? {
        document(of: input).flatMap { root(of: $0, knownBy: telling) }
    }

    /// The file as YAML, whose faults are not reported yet; nil after reporting that it is too large.
    func document(of input: InputFile) -> YAMLDocument? {
        let start = SourceRange(start: .start, end: .start)
        guard input.size <= input.limit else {
            error(
                .tooLarge, at: start,
                "The file has \(Figures.count(input.size)) bytes; at most \(Figures.count(input.limit)) are read.",
                help: "Move long lists to files of their own.")
            return nil
        }
        let document = YAMLParser.parse(input.bytes, limits: YAMLLimits(bytes: input.limit))
        files.take(document.source)
        return document
    }

    /// The value of a parsed file; nil after reporting why the file has no value.
    ///
    /// Of a campaign with a fault of syntax, it is the part that can still be read.
    func root(of document: YAMLDocument, knownBy telling: TellingKeys) -> YAMLNode? {
        showsLines = telling.stand(in: document)
        if let shape = telling.shapeWithPeople { notePeople(in: document, shape) }
        for fault in document.faults { add(fault) }
        if document.root == nil, document.faults.isEmpty {
            error(
                .emptyFile, at: SourceRange(start: .start, end: .start), "The file is empty.")
        }
        // Of a config no part is read alone: where its secrets are is known only when all of it is read.
        guard document.root == nil, telling == .campaign, showsLines else { return document.root }
        return document.remains
    }

    private func notePeople(in document: YAMLDocument, _ shape: FileShape) {
        if let root = document.root {
            files.take(people: PeopleLines(in: root, of: shape).ranges)
        }
        // Of what could not be read nobody knows whom it names: even of two equal keys one is left out.
        if document.root == nil || !document.faults.isEmpty { files.noteFault() }
    }

    // MARK: Collecting

    /// Adds a fault; its help is made only if the fault is kept.
    func error(
        _ rule: DiagnosticRule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> DiagnosticMessage? = nil,
        related: (message: DiagnosticMessage, range: SourceRange)? = nil
    ) {
        add(
            .error, rule.rawValue, at: range, message, help: help(),
            related: related.map { note($0.message, at: $0.range) })
    }

    /// Adds that a file which a campaign names cannot be used.
    func error(
        _ fault: FileReferenceFault, at range: SourceRange, _ message: DiagnosticMessage,
        help: DiagnosticMessage?
    ) {
        error(fault.rule, at: range, message, help: help)
        if fault.isAbsence { absences += 1 }
    }

    /// Adds a fault that another file has a part in.
    func error(
        _ rule: DiagnosticRule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> DiagnosticMessage? = nil, note: Diagnostic.Related
    ) {
        add(.error, rule.rawValue, at: range, message, help: help(), related: note)
    }

    /// Adds a warning.
    func warning(
        _ rule: DiagnosticRule, at range: SourceRange, _ message: DiagnosticMessage,
        help: @autoclosure () -> DiagnosticMessage? = nil,
        related: (message: DiagnosticMessage, range: SourceRange)? = nil
    ) {
        add(
            .warning, rule.rawValue, at: range, message, help: help(),
            related: related.map { note($0.message, at: $0.range) })
    }

    /// Adds what is wrong in another file.
    func add(_ diagnostic: Diagnostic) {
        if diagnostic.severity == .error { errors += 1 }
        diagnostics.append(diagnostic)
    }

    /// Adds what is wrong with the file as YAML.
    private func add(_ fault: YAMLFault) {
        add(
            .error, fault.rule.rawValue, at: fault.range, Self.message(of: fault),
            help: fault.help.map { "\($0)" },
            related: fault.related.map { note("\($0.message)", at: $0.range) })
    }

    /// The sentence about a fault; a key in it that no file of ours has may be somebody's name.
    private static func message(of fault: YAMLFault) -> DiagnosticMessage {
        guard let key = fault.key, !FileShape.keys.contains(key),
            let place = fault.message.firstRange(of: "\"\(key)\"")
        else { return "\(fault.message)" }
        return
            "\(fault.message[..<place.lowerBound])\"\(audience: key)\"\(fault.message[place.upperBound...])"
    }

    private func add(
        _ severity: Diagnostic.Severity, _ rule: String, at range: SourceRange,
        _ message: DiagnosticMessage, help: @autoclosure () -> DiagnosticMessage?,
        related: Diagnostic.Related?
    ) {
        if severity == .error { errors += 1 }
        guard diagnostics.count < Self.most else {
            left += 1
            return
        }
        let place = files.place(of: range)
        diagnostics.append(
            Diagnostic(
                file: place.file, range: place.range, severity: severity, rule: rule,
                message: message, help: help(), related: related.map { [$0] } ?? [],
                excerpt: showsLines ? files.excerpt(around: range.start) : nil))
    }

    private func note(_ message: DiagnosticMessage, at range: SourceRange) -> Diagnostic.Related {
        let place = files.place(of: range)
        return Diagnostic.Related(message: message, file: place.file, range: place.range)
    }

    // MARK: The end

    /// All diagnostics in order, and one more that counts those that were not kept.
    ///
    /// - Returns: diagnostics by file, line and column.
    func finished() -> [Diagnostic] {
        let sorted = diagnostics.sorted()
        guard left > 0, let last = sorted.last else { return sorted }
        return sorted + [.tooManyFaults(left, in: file, at: last.range)]
    }
}
