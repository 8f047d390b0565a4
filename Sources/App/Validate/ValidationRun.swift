import CampaignCore
import CampaignFormat
import Foundation
import SQLiteStorage

struct ValidationRun {
    private let flags: SettingFlags
    private let invocation: Invocation
    private let rules: RuleChoice
    /// The file whose text is on standard input.
    private let standardInputName: String?
    private let now: Date
    /// After ``finish()`` they are sorted, and without those that files and flags switch off.
    private(set) var findings: [Diagnostic] = []
    private(set) var checked: [String] = []
    /// Sentences about named files that cannot be read at all.
    private(set) var failures: [String] = []
    /// The number of campaign files checked.
    private var count = 0
    private var hasNamedConfig = false
    /// Files that are not campaigns: some found by a search, and the config's devices file.
    private var passedOver: [(path: String, kind: FileKind)] = []
    private var checkedConfigs: Set<String> = []
    /// The campaign files by the stores and names of their campaigns.
    private var campaigns: [[String]: String] = [:]
    private var ignores: [Ignores] = []
    /// Findings in the config from checks of campaigns, with the files of these campaigns.
    private var shared: [Diagnostic: [String]] = [:]
    private var unused = UnusedFiles()
    private var silentSchedules: [SilentSchedule] = []
    /// The last campaign's sorter, and its folder.
    private var tables: (folder: String, sorter: SQLiteSorter)?
    /// Whether some campaign was unreadable, so that the files it names are unknown.
    private var hasUnreadCampaign = false

    /// - Parameter standardInputName: the file whose text is on standard input, if any.
    init(
        flags: SettingFlags, invocation: Invocation, rules: RuleChoice,
        standardInputName: String? = nil, now: Date = Date()
    ) {
        self.flags = flags
        self.invocation = invocation
        self.rules = rules
        self.standardInputName = standardInputName
        self.now = now
    }

    /// The comments of a file that switch rules off.
    private struct Ignores {
        let comments: IgnoreComments
        /// Whether all rules could be checked.
        let isComplete: Bool
        /// Whether other campaigns count towards its silent pushes, and whether all were found.
        var silence = Silence.alone

        enum Silence {
            case alone
            case amongOthers(areFound: Bool)
        }
    }

    /// Checks a file: a campaign with its config, or a config.
    mutating func add(_ hit: CampaignSearch.Hit) async throws {
        let settings: EffectiveSettings
        let name = hit.path == "-" ? standardInputName : nil
        do {
            settings = try EffectiveSettings.load(
                flags, campaigns: [name ?? hit.path], invocation: invocation)
        } catch let error as InputFileError {
            note(error, about: hit)
            return
        } catch let faults as ConfigFaults {
            // The files named by this config's campaigns are unknown.
            hasUnreadCampaign = true
            let path = faults.findings.first?.file ?? ""
            add(
                faults.findings, faults.ignores, isComplete: false, ofConfig: path,
                named: hit.path)
            return
        }
        if let config = settings.configPath {
            // What campaigns break in `defaults` depends on which campaigns are checked.
            add(
                settings.configFindings, settings.configIgnores,
                isComplete: settings.terms.defaults == nil, ofConfig: config, named: hit.path)
            if same(config, hit.path) {
                hasNamedConfig = hasNamedConfig || hit.isNamed
                return
            }
            unused.note(config: config)
        }
        // Even a named devices file is skipped: a shell's pattern for campaigns may match it too.
        if let devices = settings.devicesFile, same(devices, hit.path) {
            passedOver.append((hit.path, .devices))
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
            passedOver.append((hit.path, kind))
            return
        }
        count += 1
        let found = try await source.check(
            with: .unread, isLinting: true, sorter: sorter(in: settings.localFolder), at: now
        ).findings
        for finding in found {
            if finding.file == settings.configPath {
                shared[finding, default: []].append(source.loaded.path)
            } else {
                findings.append(finding)
            }
        }
        checked.append(source.loaded.path)
        noteName(of: source.loaded, in: settings.store)
        noteFiles(of: source.loaded, foundIn: hit.folder)
        var comments = Ignores(
            comments: source.loaded.lint.ignores, isComplete: !found.hasErrors)
        if let schedule = source.loaded.lint.silentSchedule {
            let isComing = source.loaded.missedStart(at: now) == nil
            if isComing { silentSchedules.append(schedule) }
            comments.silence = .amongOthers(areFound: isComing && hit.folder != nil)
        }
        ignores.append(comments)
    }

    /// The last campaign's sorter, emptied, if the folder is the same; else a new one.
    private mutating func sorter(in folder: String) async throws -> SQLiteSorter {
        if let tables, tables.folder == folder {
            try await tables.sorter.clear()
            return tables.sorter
        }
        let sorter = try SQLiteSorter(in: folder)
        tables = (folder, sorter)
        return sorter
    }

    /// Checks all files together, and drops ignored findings; call it once, after the last file.
    mutating func finish() {
        findings += shared.map { $0.told(for: $1) }
        if !hasUnreadCampaign {
            findings += unused.found().map(Diagnostic.init(unusedFile:))
        }
        if !rules.isDisabled(SilentSchedule.rule) {
            findings += SilentSchedule.remarks(on: silentSchedules)
        }
        for file in ignores {
            let faults = file.comments.faults(
                among: findings, isComplete: file.isComplete,
                unknown: isSilenceKnown(of: file) ? [] : [SilentSchedule.rule])
            findings = file.comments.kept(of: findings) + faults
        }
        findings = rules.kept(of: findings).merged.sorted()
    }

    /// Whether the check could have found that a file sends too many silent pushes.
    private func isSilenceKnown(of file: Ignores) -> Bool {
        switch file.silence {
        case .alone: true
        case .amongOthers(let areFound):
            areFound && silentSchedules.count > 1 && !rules.isDisabled(SilentSchedule.rule)
        }
    }

    private mutating func noteFiles(of loaded: LoadedCampaign, foundIn folder: String?) {
        guard let files = loaded.lint.namedFiles else {
            hasUnreadCampaign = true
            return
        }
        if let folder { unused.note(files, searched: folder, invocation) }
    }

    /// Prints the findings on stdout, and everything else on stderr.
    ///
    /// - Parameter namesPassedOver: whether files that are not campaigns are named.
    func show(
        by output: FindingsOutput, isQuiet: Bool, namesPassedOver: Bool
    ) throws {
        try output.print(findings, checked: checked)
        if namesPassedOver {
            for (path, kind) in passedOver {
                Console.complain("\(VisibleText.path(path)): passed over; it is \(kind).")
            }
        }
        if !isQuiet, invocation.isErrorTerminal || findings.hasErrors, let summary {
            Console.complain(summary)
        }
        for failure in failures { Console.complain("hubsend: \(failure)") }
    }

    /// What was done, as one sentence; nil if nothing was checked.
    var summary: String? {
        var parts: [String] = []
        if count > 0 || findings.hasErrors {
            let files = Figures.count(count, "campaign file", "campaign files")
            parts.append("\(files) checked: \(FindingsOutput.tally(findings))")
        } else if hasNamedConfig {
            parts.append("The config was checked: \(FindingsOutput.tally(findings))")
        } else {
            return nil
        }
        if !failures.isEmpty { parts.append("\(Figures.count(failures.count)) could not be read") }
        if let sentence = passedOverText { parts.append(sentence) }
        return parts.joined(separator: "; ") + "."
    }

    /// Such as `3 files passed over: not campaigns`; nil if there are none.
    private var passedOverText: String? {
        switch passedOver.count {
        case 0: nil
        case 1: "1 file passed over: not a campaign"
        default: "\(Figures.count(passedOver.count)) files passed over: not campaigns"
        }
    }

    /// Why nothing was checked: an empty search must not look like a passed check.
    func emptiness(of search: CampaignSearch, in paths: [String]) -> OperationFault {
        if let file = passedOver.first, paths == [file.path] {
            return .notACampaign(file.path, file.kind)
        }
        return .noCampaign(searched: search.shownPaths, passedOver: passedOverText)
    }

    /// For a named file that is a usage error, for one found by a search a finding.
    private mutating func note(_ error: InputFileError, about hit: CampaignSearch.Hit) {
        if hit.isNamed {
            failures.append("\(error)")
        } else {
            hasUnreadCampaign = true
            findings.append(Diagnostic(unreadable: hit.path, because: error))
        }
    }

    private mutating func add(
        _ found: [Diagnostic], _ comments: IgnoreComments, isComplete: Bool,
        ofConfig path: String, named name: String
    ) {
        guard checkedConfigs.insert(path).inserted else { return }
        findings += found.map { finding in
            var finding = finding
            if !same(name, path) { finding.namings = [Diagnostic.Naming(config: path, of: name)] }
            return finding
        }
        ignores.append(Ignores(comments: comments, isComplete: isComplete))
    }

    /// Notes a campaign's name, which must be unique in a store.
    private mutating func noteName(of loaded: LoadedCampaign, in store: StoreAddress) {
        guard let name = loaded.campaign?.name else { return }
        let key = [store.description, name]
        if let other = campaigns.updateValue(loaded.path, forKey: key) {
            findings.append(loaded.duplicateName(with: other))
        }
    }

    private func same(_ one: String, _ other: String) -> Bool {
        URL(fileURLWithPath: one).resolvingSymlinksInPath()
            == URL(fileURLWithPath: other).resolvingSymlinksInPath()
    }
}

/// The rules that count: all but the warnings and hints that are switched off.
struct RuleChoice: Sendable {
    private let disabled: Set<String>

    /// - Throws: ``OperationFault`` for an unknown rule, and for one whose findings are errors.
    init(disabling names: [String] = []) throws(OperationFault) {
        for name in names {
            guard let rule = Rule.named(name) else { throw .noSuchRule(name) }
            guard rule.severity != .error else { throw .errorRule(name) }
        }
        disabled = Set(names)
    }

    /// Whether a rule is off, so that slow checks can be skipped.
    func isDisabled(_ rule: String) -> Bool { disabled.contains(rule) }

    func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        disabled.isEmpty
            ? findings : findings.filter { $0.severity == .error || !disabled.contains($0.rule) }
    }
}
