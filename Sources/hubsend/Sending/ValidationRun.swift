import CampaignCore
import CampaignFormat
import Foundation

/// Checks files one after the other and keeps what was found.
struct ValidationRun {
    let options: GlobalOptions
    let invocation: Invocation
    private(set) var findings: [Diagnostic] = []
    /// Sentences about named files that cannot be read at all.
    private(set) var failures: [String] = []
    /// How many campaign files were checked.
    private(set) var count = 0
    private var checkedConfigs: Set<String> = []
    private var campaigns: [String: String] = [:]

    init(options: GlobalOptions, invocation: Invocation) {
        self.options = options
        self.invocation = invocation
    }

    /// Checks a file: a campaign with its config, or a config.
    ///
    /// - Throws: when a named file is not there, or a file cannot be read.
    mutating func add(_ hit: CampaignSearch.Hit) async throws {
        let settings: Settings
        do {
            settings = try Settings.load(options, campaigns: [hit.path], invocation: invocation)
        } catch let error as InputFileError {
            note(error, about: hit)
            return
        } catch let faults as ConfigFaults {
            add(faults.findings, ofConfig: faults.findings.first?.file ?? "")
            return
        }
        if let config = settings.configPath {
            add(settings.configFindings, ofConfig: config)
            if same(config, hit.path) { return }
        }
        if case .local(let devices, _) = settings.hub, same(devices, hit.path) {
            return
        }
        let source: CampaignSource
        do {
            source = try await CampaignSource(
                path: hit.path, settings: settings, searched: hit.folder)
        } catch let error as InputFileError {
            note(error, about: hit)
            return
        }
        count += 1
        findings += try await source.check().findings
        noteName(of: source.loaded)
    }

    /// A file that was named and is not there is wrong usage; one that a search found is a fault like others.
    private mutating func note(_ error: InputFileError, about hit: CampaignSearch.Hit) {
        if hit.isNamed {
            failures.append("\(error)")
        } else {
            findings.append(Diagnostic(unreadable: hit.path, because: error))
        }
    }

    private mutating func add(_ found: [Diagnostic], ofConfig path: String) {
        if checkedConfigs.insert(path).inserted { findings += found }
    }

    /// Names are unique in a store, so two files of one name are a mistake.
    private mutating func noteName(of loaded: LoadedCampaign) {
        guard let name = loaded.campaign?.name else { return }
        if let other = campaigns.updateValue(loaded.path, forKey: name) {
            findings.append(loaded.duplicateName(with: other))
        }
    }

    private func same(_ one: String, _ other: String) -> Bool {
        URL(fileURLWithPath: one).resolvingSymlinksInPath()
            == URL(fileURLWithPath: other).resolvingSymlinksInPath()
    }
}
