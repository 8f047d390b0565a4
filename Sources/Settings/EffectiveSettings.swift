package import CampaignCore
package import CampaignFormat
import Files
import Foundation

/// The settings in effect, out of flags, environment and config file.
///
/// A flag beats a variable, a variable beats the file, and
/// the file beats the default.
package struct EffectiveSettings: Sendable {
    /// Environment, folder and streams.
    package let invocation: Invocation
    /// The config file; nil when there is none.
    package let configPath: String?
    /// Whether a flag or a variable named the config file.
    private let isConfigNamed: Bool
    /// Warnings about the config file, and those that its comments switch off.
    package let configFindings: [Diagnostic]
    /// The comments of the config file that switch rules off.
    package let configIgnores: IgnoreComments
    /// What the config says about campaigns, key by key, for a plan.
    package let configOutline: [KeyText]
    /// Files with keys and handles that any setting names, also where another setting wins.
    private let secretFiles: [String]
    /// The folder that the config's paths are relative to.
    private let base: String
    /// The flag that leads to the same folder of exports, where the config does not.
    private let exportOptions: [String]
    /// Where store and reports are, and which setting says so.
    private let storeChoice: StoreChoice
    /// The campaigns that the command names.
    private let campaigns: [CampaignPlace]
    /// nil when nothing names a hub.
    package let hub: HubChoice?
    /// The devices file that the config names, also where another hub is used.
    package let devicesFile: String?
    /// The hub's name, where a variable or the config gives it.
    package let hubName: HubNaming?
    /// What the config says about all campaigns.
    package let terms: CampaignTerms
    /// What the config says about the app backend.
    package let backend: BackendSettings
    /// Who may be sent a rehearsal although a campaign does not reach them.
    package let testers: Set<Username>
    /// Where audience files lie that are named as `export:…`; nil when nothing says it.
    package let audiences: ExportFolder?
    /// The address that is told of runs; nil when nothing gives one.
    package let heartbeat: Secret?
    /// The file that figures of runs are written to, absolute; nil when the config names none.
    package let metrics: String?
    /// How long what is left of runs is kept.
    package let retention: RetentionTimes

    /// Where the store is.
    package var store: StoreAddress { storeChoice.store }
    /// The folder on this host for what belongs to the store and is not in it, absolute: keys, what is sorted, the audit.
    package var localFolder: String { store.localFolder }
    /// The file with the key of the store's payloads, where nothing else gives it.
    package var payloadKeyFile: String {
        store.file.map { $0 + ".key" } ?? localFolder + "/payload.key"
    }
    /// The folder for reports, absolute.
    package var reports: String { storeChoice.reports }
    /// The file that audit lines go to, absolute.
    package var audit: String {
        backend.audit.map { Path.cleaned(invocation.absolute($0)) }
            ?? localFolder + "/audit.jsonl"
    }
    /// Warnings about the config file that nobody switched off.
    package var configWarnings: [Diagnostic] { configIgnores.kept(of: configFindings) }
    /// Whether a command gives the connection string or the heartbeat's address.
    package var runsCommands: Bool {
        if case .command? = heartbeat { return true }
        guard case .remote(let secret, _, let route)? = hub else { return false }
        return [secret, route.secondary].contains { secret in
            if case .command? = secret { true } else { false }
        }
    }
    /// How a command is written that works with the same hub, store and reports.
    package var commandForm: CommandForm {
        // An address with a password cannot be an option.
        let hidden = store.option == nil ? [NeededVariable(name: "HUBSEND_STORE", value: nil)] : []
        return CommandForm(
            opening: invocation.opening(
                with: hidden + invocation.neededVariables(isStoreOnServer: store.file == nil)),
            options: storeChoice.options + exportOptions)
    }

    /// Brings the settings together.
    ///
    /// - Parameters:
    ///   - flags: the flags.
    ///   - campaigns: the campaign files that the command names, beside or above which a config may be.
    ///   - invocation: environment and current folder.
    /// - Throws: ``SettingFault``, `InputFileError` or ``ConfigFaults``.
    package static func load(
        _ flags: SettingFlags, campaigns: [String], invocation: Invocation
    ) throws -> EffectiveSettings {
        let campaigns = campaigns.map { CampaignPlace($0, invocation) }
        let place = try ConfigPlace.find(flags, for: campaigns, invocation: invocation)
        let loaded = try place.map {
            try ConfigFile.read($0.path, isNamed: $0.isNamed, owners: $0.owners)
        }
        if let loaded, loaded.diagnostics.hasErrors {
            throw ConfigFaults(findings: loaded.diagnostics, ignores: loaded.ignores)
        }
        return try EffectiveSettings(
            flags, place: place, loaded: loaded, campaigns: campaigns, invocation: invocation)
    }

    private init(
        _ flags: SettingFlags, place: ConfigPlace?, loaded: LoadedConfig?,
        campaigns: [CampaignPlace], invocation: Invocation
    ) throws {
        self.invocation = invocation
        configPath = place?.path
        isConfigNamed = place?.isNamed ?? false
        configFindings = loaded?.diagnostics ?? []
        configIgnores = loaded?.ignores ?? IgnoreComments()
        configOutline = loaded?.outline ?? []
        let folder = place.map { Path.folder(of: $0.path) } ?? "."
        base = Path.resolved(invocation.absolute(folder))
        let config = loaded?.config
        storeChoice = try StoreChoice(
            flags, config: place.map { ($0.path, config) }, campaigns: campaigns,
            invocation: invocation)
        self.campaigns = campaigns
        let hubLine =
            VisibleText.path(place?.path ?? "")
            + (config?.hubLine.map { " (line \($0))" } ?? "")
        hubName =
            invocation["HUBSEND_HUB_NAME"].map { HubNaming($0, from: "HUBSEND_HUB_NAME") }
            ?? config?.hub?.name.map { HubNaming($0, from: hubLine) }
        devicesFile = config?.hub?.devices
        terms = config?.terms ?? CampaignTerms()
        backend = config?.backend ?? BackendSettings()
        testers = config?.testers ?? []
        audiences = try Self.audiences(
            flags, config: config, isConfigNamed: place?.isNamed ?? false, invocation: invocation)
        exportOptions =
            (flags.audiences ?? invocation["HUBSEND_AUDIENCES"]).map {
                ["--audiences", invocation.whole($0)]
            } ?? []
        let keyFiles = [Secret.connectionString, Secret.secondaryConnectionString].map {
            invocation[$0 + "_FILE"].map(invocation.absolute)
        }
        let payloadKey = invocation[Secret.payloadKey + "_FILE"].map(invocation.absolute)
        heartbeat =
            Secret.inEnvironment(Secret.heartbeat, of: invocation)
            ?? config?.heartbeat.map { Secret($0, key: "heartbeat") }
        metrics = config?.metrics.map { Path.cleaned(invocation.absolute($0)) }
        retention = config?.retention ?? RetentionTimes()
        let heartbeats = [
            invocation[Secret.heartbeat + "_FILE"].map(invocation.absolute),
            config?.heartbeat?.file,
        ]
        secretFiles =
            (keyFiles + [payloadKey, config?.hub?.file] + heartbeats).compactMap(\.self)
            + backend.secretFiles
        hub = HubChoice(invocation: invocation, config: config, line: hubLine, name: hubName)
    }

    /// The folder of exports that an option, a variable or the config names, in this order.
    private static func audiences(
        _ flags: SettingFlags, config: Config?, isConfigNamed: Bool, invocation: Invocation
    ) throws(SettingFault) -> ExportFolder? {
        let name = flags.audiences ?? invocation["HUBSEND_AUDIENCES"]
        if let name { try StoreChoice.refuseUnexpanded(name, for: "audiences") }
        guard let path = name ?? config?.audiences else { return nil }
        return ExportFolder(
            path: Path.cleaned(Path.resolved(invocation.absolute(path))),
            isChosen: name != nil || isConfigNamed)
    }

    /// Which files a campaign may name.
    package var scope: FileScope {
        FileScope(
            root: configPath == nil ? nil : base,
            refused: [configPath, reports, audit].compactMap(\.self) + secretFiles + storeFiles,
            exports: audiences)
    }

    /// The files on this host that the store is in or that belong to it.
    package var storeFiles: [String] {
        guard let file = store.file else {
            return ["payload.key", "keys.lock"].map { localFolder + "/" + $0 }
        }
        return ["", "-wal", "-shm", ".mark", ".machine", ".lock", ".key", ".forgotten.key"].map {
            file + $0
        }
    }

    /// A command line that does something with a run of these settings.
    package func command(_ words: String...) -> String { commandForm(words) }

    /// The same, of words that are counted later.
    package func command(_ words: [String]) -> String { commandForm(words) }

    /// The hub, or what is missing.
    ///
    /// - Throws: ``SettingFault``.
    package func requiredHub() throws(SettingFault) -> HubChoice {
        if let hub { return hub }
        throw hubName.map(SettingFault.noConnectionString) ?? .noHub
    }
}

// A second store would have everybody sent to twice: these are sure about it before anything is stored or sent.
extension EffectiveSettings {
    /// Refuses a campaign from standard input, beside which no store can be, where nothing names one.
    ///
    /// - Throws: ``SettingFault/noStoreForStandardInput``.
    package func requireStorePlace() throws(SettingFault) {
        guard !storeChoice.isSettled, campaigns.contains(where: { $0.home == nil }) else { return }
        throw .noStoreForStandardInput
    }

    /// Refuses to send to real people with a store that only the place of a campaign leads to, and to send a link whose file
    /// has another store.
    ///
    /// - Parameters:
    ///   - host: where pushes would go.
    ///   - isLoopback: whether that is this machine.
    /// - Throws: ``SettingFault``; `InputFileError` when a config cannot be looked for.
    package func requireStorePlace(forHubAt host: String, isLoopback: Bool) throws {
        guard isLoopback || storeChoice.isSettled else {
            throw SettingFault.noStoreForHub(host: host)
        }
        for campaign in campaigns { try refuseOtherConfig(ofLink: campaign) }
    }

    /// A link and what it leads to are one campaign, and must not have two stores.
    private func refuseOtherConfig(ofLink campaign: CampaignPlace) throws {
        guard !isConfigNamed, !storeChoice.isNamed, let home = campaign.home,
            home != campaign.folder
        else { return }
        guard
            try ConfigPlace.nearest(from: campaign.folder) != ConfigPlace.nearest(from: home)
        else { return }
        throw SettingFault.otherConfigOfLink(
            campaign: campaign.path, file: Path.resolved(invocation.absolute(campaign.path)))
    }
}

/// The values of flags that a variable or the config could also set.
package struct SettingFlags: Hashable, Sendable {
    /// `--config`.
    package var config: String?
    /// `--store`.
    package var store: String?
    /// `--reports`.
    package var reports: String?
    /// `--audiences`.
    package var audiences: String?

    package init(
        config: String? = nil, store: String? = nil, reports: String? = nil,
        audiences: String? = nil
    ) {
        self.config = config
        self.store = store
        self.reports = reports
        self.audiences = audiences
    }
}

extension SecretSource {
    /// The file that it names; nil: it names none.
    fileprivate var file: String? {
        if case .file(let path) = self { path } else { nil }
    }
}

extension BackendSettings {
    /// Files that no campaign may send to anybody.
    fileprivate var secretFiles: [String] {
        [users, tls?.key, audit].compactMap(\.self) + (jwt?.keys.map(\.file) ?? [])
    }
}
