import CampaignCore
package import CampaignFormat
package import Foundation
import SQLiteStorage
package import Settings
import Terminal

/// Checks files one after the other and keeps what was found.
package struct ValidationRun {
    private let flags: SettingFlags
    private let invocation: Invocation
    private let rules: RuleChoice
    /// The file whose text standard input is.
    private let standardInputName: String?
    /// The current time.
    private let now: Date
    /// The findings; after ``finish()``, they are in order and without those that files and flags switch off.
    package private(set) var findings: [Diagnostic] = []
    /// The files that were checked, as they were named.
    package private(set) var checked: [String] = []
    /// Sentences about named files that cannot be read at all.
    package private(set) var failures: [String] = []
    /// How many campaign files were checked.
    private var count = 0
    /// Whether a config file was named and checked.
    private var hasNamedConfig = false
    /// Files that are not campaigns: some that a search found, and the devices file of the config.
    private var passedOver: [(path: String, kind: FileKind)] = []
    private var checkedConfigs: Set<String> = []
    /// The campaign files by the stores and names of their campaigns.
    private var campaigns: [[String]: String] = [:]
    private var ignores: [Ignores] = []
    /// Findings in the config that came up while campaigns were checked, with the files of these campaigns.
    private var shared: [Diagnostic: [String]] = [:]
    private var unused = UnusedFiles()
    private var silentSchedules: [SilentSchedule] = []
    /// Where the people of the last campaign were sorted, and in which folder.
    private var tables: (folder: String, sorter: SQLiteSorter)?
    /// Whether a campaign could not be read, so that it is not known which files it names.
    private var hasUnreadCampaign = false

    /// - Parameters:
    ///   - flags: what flags say about config, store and reports.
    ///   - invocation: environment and current folder.
    ///   - rules: which rules count.
    ///   - standardInputName: the file whose text standard input is; nil: standard input is not the text of a file.
    ///   - now: the current time.
    package init(
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
        /// Whether all rules could be looked at.
        let isComplete: Bool
        /// Whether other campaigns count for its silent pushes, and whether it was checked together with those of its folder.
        var silence = Silence.alone

        enum Silence {
            case alone
            case amongOthers(areFound: Bool)
        }
    }

    /// Checks a file: a campaign with its config, or a config.
    ///
    /// - Throws: an error when a named file does not exist, or a file cannot be read.
    package mutating func add(_ hit: CampaignSearch.Hit) async throws {
        let settings: EffectiveSettings
        let name = hit.path == "-" ? standardInputName : nil
        do {
            settings = try EffectiveSettings.load(
                flags, campaigns: [name ?? hit.path], invocation: invocation)
        } catch let error as InputFileError {
            note(error, about: hit)
            return
        } catch let faults as ConfigFaults {
            // It is not known which files the campaigns of this config name.
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
        // Even a devices file that is named is passed over: a shell's pattern for the campaigns may match it, too.
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

    /// A sorter for the people of the next campaign: the last campaign's, emptied, if it is in the same folder.
    private mutating func sorter(in folder: String) async throws -> SQLiteSorter {
        if let tables, tables.folder == folder {
            try await tables.sorter.clear()
            return tables.sorter
        }
        let sorter = try SQLiteSorter(in: folder)
        tables = (folder, sorter)
        return sorter
    }

    /// Looks at all files together, and removes findings that are switched off; call it once, after the last file.
    package mutating func finish() {
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

    /// Prints what was found on stdout, and says on stderr what else there is to say.
    ///
    /// - Parameters:
    ///   - output: how findings are written.
    ///   - isQuiet: whether the summary is left out.
    ///   - namesPassedOver: whether files that are not campaigns are named.
    /// - Throws: `TerminalFault` when stdout cannot be written.
    package func show(
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

    /// What was done, as one sentence; nil when nothing was checked.
    package var summary: String? {
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

    /// Such as `3 files passed over: not campaigns`; nil when no file was passed over.
    private var passedOverText: String? {
        switch passedOver.count {
        case 0: nil
        case 1: "1 file passed over: not a campaign"
        default: "\(Figures.count(passedOver.count)) files passed over: not campaigns"
        }
    }

    /// Why nothing was checked; a search that found no campaign must not look as if it had checked something.
    ///
    /// - Parameters:
    ///   - search: the search that found nothing.
    ///   - paths: what it was given.
    /// - Returns: what to tell.
    package func emptiness(of search: CampaignSearch, in paths: [String]) -> OperationFault {
        if let file = passedOver.first, paths == [file.path] {
            return .notACampaign(file.path, file.kind)
        }
        return .noCampaign(searched: search.shownPaths, passedOver: passedOverText)
    }

    /// Notes that a file cannot be read: for a named file that is wrong usage, for a file that a search found it is a finding.
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

    /// Notes a campaign's name: two files of one store with the same name are a mistake.
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

/// Which rules count in a call: all but the warnings and hints that are switched off.
package struct RuleChoice: Sendable {
    private let disabled: Set<String>

    /// Switches rules off.
    ///
    /// - Parameter names: the names of rules whose findings are warnings or hints.
    /// - Throws: ``OperationFault`` for a name that no rule has, and for a rule whose findings are errors.
    package init(disabling names: [String] = []) throws(OperationFault) {
        for name in names {
            guard let rule = RuleDescription.named(name) else { throw .noSuchRule(name) }
            guard rule.severity != .error else { throw .errorRule(name) }
        }
        disabled = Set(names)
    }

    /// Whether a rule's findings are switched off, so that those that take long to find need not be looked for.
    func isDisabled(_ rule: String) -> Bool { disabled.contains(rule) }

    /// The findings that are not switched off, in their order.
    func kept(of findings: [Diagnostic]) -> [Diagnostic] {
        disabled.isEmpty
            ? findings : findings.filter { $0.severity == .error || !disabled.contains($0.rule) }
    }
}
