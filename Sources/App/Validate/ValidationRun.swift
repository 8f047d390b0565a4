import CampaignCore
import CampaignFormat
import Foundation
import SQLiteDriver

/// The result of `validate`.
struct Validation {
    /// The findings, sorted and without those that comments and flags suppress.
    fileprivate(set) var findings: [Diagnostic] = []
    /// The campaign files.
    fileprivate(set) var checked: [String] = []
    /// Errors about given files that cannot be read at all.
    fileprivate(set) var failures: [String] = []
    fileprivate var hasNamedConfig = false
    /// Skipped files that are not campaigns, found by a search or named as devices in the config.
    fileprivate var skipped: [(path: String, kind: FileKind)] = []

    /// Prints the findings on stdout, and everything else on stderr.
    func show(
        by output: FindingsOutput, isQuiet: Bool, listsSkipped: Bool
    ) throws {
        try output.print(findings, checked: checked)
        for (path, kind) in listsSkipped ? skipped : [] {
            Console.complain("\(VisibleText.path(path)): skipped; it is \(kind).")
        }
        if !isQuiet, output.invocation.isErrorTerminal || findings.hasErrors, let summary {
            Console.complain(summary)
        }
        for failure in failures { Console.complain("hubsend: \(failure)") }
    }

    /// A sentence about what was checked; nil if nothing was checked.
    var summary: String? {
        var parts: [String] = []
        if !checked.isEmpty || findings.hasErrors {
            let files = Figures.count(checked.count, "campaign file", "campaign files")
            parts.append("\(files) checked: \(FindingsOutput.tally(findings))")
        } else if hasNamedConfig {
            parts.append("The config was checked: \(FindingsOutput.tally(findings))")
        } else {
            return nil
        }
        if !failures.isEmpty { parts.append("\(Figures.count(failures.count)) could not be read") }
        if let sentence = skippedText { parts.append(sentence) }
        return parts.joined(separator: "; ") + "."
    }

    /// Returns a phrase such as `3 files skipped: not campaigns`, or nil if no file was skipped.
    private var skippedText: String? {
        switch skipped.count {
        case 0: nil
        case 1: "1 file skipped: not a campaign"
        default: "\(Figures.count(skipped.count)) files skipped: not campaigns"
        }
    }

    /// The error if nothing was checked, which must not look like success.
    func nothingChecked(in search: CampaignSearch, in paths: [String]) -> Refused {
        if let file = skipped.first, paths == [file.path] {
            return Refused("\"\(file.path)\" is \(file.kind), not a campaign.")
        }
        return .noCampaign(in: search, skipped: skippedText)
    }
}

/// Checks campaigns with their configs, each one separately and all of them together.
struct ValidationRun {
    let flags: SettingFlags
    let invocation: Invocation
    let rules: RuleChoice
    /// The file whose text is on standard input, if any.
    var standardInputName: String?
    var now = Date()

    func check(_ hits: [CampaignSearch.Hit]) async throws -> Validation {
        var files = CheckedFiles(run: self)
        for hit in hits { try await files.add(hit) }
        return files.validated()
    }
}

/// The state of a check, to which files are added one after another.
private struct CheckedFiles {
    let run: ValidationRun
    private var result = Validation()
    private var configs: Set<String> = []
    /// The campaign files, by store and campaign name.
    private var campaigns: [[String]: String] = [:]
    private var ignores: [Ignores] = []
    /// Findings in the config that checks of campaigns produced, with the campaign files.
    private var shared: [Diagnostic: [String]] = [:]
    /// The search for unused files; nil after a file that cannot be read, because the files that it
    /// names are unknown.
    private var unused: UnusedFiles? = UnusedFiles()
    /// The sorter of the last campaign, and its folder.
    private var tables: (folder: String, sorter: SQLiteSorter)?

    init(run: ValidationRun) {
        self.run = run
    }

    /// The ignore comments of a file, and what determines whether they are needed.
    private struct Ignores {
        let comments: IgnoreComments
        /// Whether all rules could be checked.
        let isComplete: Bool
        /// The campaign's silent pushes, which add up with those of other campaigns.
        var silence: SilentSchedule?
        /// Whether the campaign's start is in the future.
        var isComing = true
        /// Whether a search found the file, in which case the other campaigns are known too.
        var isFound = false
    }

    /// Checks a campaign with its config, or only a config.
    mutating func add(_ hit: CampaignSearch.Hit) async throws {
        let settings: EffectiveSettings
        let name = hit.path == "-" ? run.standardInputName : nil
        do {
            settings = try EffectiveSettings.load(
                run.flags, campaigns: [name ?? hit.path], invocation: run.invocation)
        } catch let error as InputFileError {
            note(error, about: hit)
            return
        } catch let faults as ConfigErrors {
            unused = nil
            let path = faults.findings.first?.file ?? ""
            add(
                faults.findings, faults.ignores, isComplete: false, ofConfig: path,
                named: hit.path)
            return
        }
        if let config = settings.configPath {
            // Findings in `defaults` depend on which campaigns are checked.
            add(
                settings.configFindings, settings.configIgnores,
                isComplete: settings.terms.defaults == nil, ofConfig: config, named: hit.path)
            if same(config, hit.path) {
                result.hasNamedConfig = result.hasNamedConfig || hit.isNamed
                return
            }
            unused?.note(config: config)
        }
        // Even a given devices file is skipped, because a shell pattern for campaigns may match it.
        if let devices = settings.devicesFile, same(devices, hit.path) {
            result.skipped.append((hit.path, .devices))
            return
        }
        let source: CampaignSource
        do {
            source = try await CampaignSource(
                path: hit.path, settings: settings, searched: hit.folder, named: name)
        } catch let error as InputFileError {
            note(error, about: hit)
            return
        }
        let kind = source.loaded.kind
        guard hit.isNamed || kind == .campaign else {
            result.skipped.append((hit.path, kind))
            return
        }
        let found = try await CampaignCheck(
            source: source, runs: .unread, isLinting: true,
            sorter: sorter(in: settings.localFolder), now: run.now
        ).checked().findings
        for finding in found {
            if finding.file == settings.configPath {
                shared[finding, default: []].append(source.loaded.path)
            } else {
                result.findings.append(finding)
            }
        }
        result.checked.append(source.loaded.path)
        noteName(of: source.loaded, in: settings.store)
        if let files = source.loaded.lint.namedFiles {
            if let folder = hit.folder {
                unused?.note(files, searched: folder, run.invocation)
            }
        } else {
            unused = nil
        }
        ignores.append(
            Ignores(
                comments: source.loaded.lint.ignores, isComplete: !found.hasErrors,
                silence: source.loaded.lint.silentSchedule,
                isComing: source.loaded.missedStart(at: run.now) == nil,
                isFound: hit.folder != nil))
    }

    /// Returns the last campaign's sorter, emptied, if the folder is the same; otherwise, returns a
    /// new sorter.
    private mutating func sorter(in folder: String) async throws -> SQLiteSorter {
        if let tables, tables.folder == folder {
            try await tables.sorter.clear()
            return tables.sorter
        }
        let sorter = try SQLiteSorter(in: folder)
        tables = (folder, sorter)
        return sorter
    }

    /// The result for all files, without suppressed findings.
    consuming func validated() -> Validation {
        // A check of only the config has the same findings, but does not name the campaigns.
        result.findings.removeAll { own in shared.keys.contains { $0.isSame(as: own) } }
        result.findings += shared.map { $0.affecting($1) }
        result.findings += unused?.found().map(Diagnostic.init(unusedFile:)) ?? []
        let isSilenceChecked = !run.rules.isDisabled(SilentSchedule.rule)
        let silences = ignores.filter(\.isComing).compactMap(\.silence)
        if isSilenceChecked { result.findings += SilentSchedule.remarks(on: silences) }
        for file in ignores {
            // Whether the check could have detected too many silent pushes.
            let isSilenceKnown =
                file.silence == nil
                || file.isComing && file.isFound && silences.count > 1 && isSilenceChecked
            let faults = file.comments.faults(
                among: result.findings, isComplete: file.isComplete,
                unknown: isSilenceKnown ? [] : [SilentSchedule.rule])
            result.findings = file.comments.kept(of: result.findings) + faults
        }
        result.findings = run.rules.kept(of: result.findings).merged.sorted()
        return result
    }

    /// Records an unreadable file: a failure if it was given, a finding if a search found it.
    private mutating func note(_ error: InputFileError, about hit: CampaignSearch.Hit) {
        if hit.isNamed {
            result.failures.append("\(error)")
        } else {
            unused = nil
            result.findings.append(Diagnostic(unreadable: hit.path, because: error))
        }
    }

    private mutating func add(
        _ found: [Diagnostic], _ comments: IgnoreComments, isComplete: Bool,
        ofConfig path: String, named name: String
    ) {
        guard configs.insert(path).inserted else { return }
        result.findings += found.map { finding in
            var finding = finding
            if !same(name, path) { finding.namings = [Diagnostic.Naming(config: path, of: name)] }
            return finding
        }
        ignores.append(Ignores(comments: comments, isComplete: isComplete))
    }

    /// Records a campaign's name, which must be unique in a store.
    private mutating func noteName(of loaded: LoadedCampaign, in store: StoreAddress) {
        guard let name = loaded.campaign?.name else { return }
        let key = [store.description, name]
        if let other = campaigns.updateValue(loaded.path, forKey: key) {
            result.findings.append(loaded.duplicateName(with: other))
        }
    }

    private func same(_ one: String, _ other: String) -> Bool {
        URL(fileURLWithPath: one).resolvingSymlinksInPath()
            == URL(fileURLWithPath: other).resolvingSymlinksInPath()
    }
}

/// The rules that apply, which are all except those switched off; their findings cannot be errors.
struct RuleChoice: Sendable {
    private let disabled: Set<String>

    /// - Throws: ``Refused`` for an unknown rule, or a rule whose findings are errors.
    init(disabling names: [String] = []) throws(Refused) {
        for name in names {
            guard let rule = Rule.named(name) else { throw .noSuchRule(name) }
            guard rule.severity != .error else {
                throw Refused(
                    """
                    Findings of the rule "\(name)" are errors and cannot be switched off: a \
                    campaign that breaks the rule is not sent. `hubsend rules \(name)` says why.
                    """)
            }
        }
        disabled = Set(names)
    }

    /// Whether a rule is switched off, so that slow checks can be skipped.
    func isDisabled(_ rule: String) -> Bool { disabled.contains(rule) }

    func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        disabled.isEmpty
            ? findings : findings.filter { $0.severity == .error || !disabled.contains($0.rule) }
    }
}
