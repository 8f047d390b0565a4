import CampaignCore
import CampaignFormat
import Files
import Foundation

/// The effective settings: flags override variables, then the config file, then the defaults.
struct EffectiveSettings: Sendable {
    let invocation: Invocation
    let configPath: String?
    private let isConfigNamed: Bool
    /// Warnings about the config file, including those that its comments suppress.
    let configFindings: [Diagnostic]
    let configIgnores: IgnoreComments
    /// The config's values about campaigns, key by key, for a plan.
    let configOutline: [KeyText]
    /// Every file with keys or device handles that a setting names, even if the setting is
    /// overridden.
    private let secretFiles: [String]
    private let base: String
    /// The flag that sets the same exports folder, if the folder does not come from the config.
    private let exportOptions: [String]
    private let storeChoice: StoreChoice
    private let campaigns: [CampaignLocation]
    let hub: HubChoice?
    /// The devices file in the config, even if another hub is used.
    let devicesFile: String?
    /// The hub's name, if a variable or the config sets it.
    let hubName: HubNaming?
    let terms: CampaignTerms
    let backend: BackendSettings
    /// People who can get rehearsals of campaigns whose audience they are not in.
    let testers: Set<Username>
    /// The folder for audience files named `export:…`, if set.
    let audiences: ExportFolder?
    /// The heartbeat's address, if set.
    let heartbeat: Secret?
    /// The absolute path of the metrics file, if set.
    let metrics: String?
    let retention: RetentionTimes

    var store: StoreAddress { storeChoice.store }
    /// Whether a flag or a variable names the store.
    var isStoreNamed: Bool { storeChoice.isNamed }
    /// The absolute path of the local folder for keys, sorting and the audit log.
    var localFolder: String { store.localFolder }
    /// The file with the store's payload key, unless the environment sets the key.
    var payloadKeyFile: String {
        store.file.map { $0 + ".key" } ?? localFolder + "/payload.key"
    }
    var reports: String { storeChoice.reports }
    var audit: String {
        backend.audit.map { Path.cleaned(invocation.absolute($0)) }
            ?? localFolder + "/audit.jsonl"
    }
    /// Warnings about the config file that are not suppressed.
    var configWarnings: [Diagnostic] { configIgnores.kept(of: configFindings) }
    /// Whether the connection string or the heartbeat's address comes from a command.
    var runsCommands: Bool {
        if case .command? = heartbeat { return true }
        guard case .remote(let secret, _, let route)? = hub else { return false }
        return [secret, route.secondary].contains { secret in
            if case .command? = secret { true } else { false }
        }
    }
    /// How to write a command that uses the same hub, store and reports.
    var commandForm: CommandForm {
        // An address with a password must not appear as an option.
        let hidden = store.option == nil ? [NeededVariable(name: "HUBSEND_STORE", value: nil)] : []
        let variables = hidden + invocation.neededVariables(isStoreOnServer: store.file == nil)
        return CommandForm(
            opening: invocation.opening(with: variables),
            forOtherHub: invocation.opening(
                with: variables.map {
                    $0.name == "HUBSEND_HUB_NAME" ? NeededVariable(name: $0.name, value: nil) : $0
                }),
            options: storeChoice.options + exportOptions)
    }

    /// - Parameter campaigns: the given campaign files, near which the config is searched for.
    static func load(
        _ flags: SettingFlags, campaigns: [String], invocation: Invocation
    ) throws -> EffectiveSettings {
        let campaigns = campaigns.map { CampaignLocation($0, invocation) }
        let place = try ConfigLocation.find(flags, for: campaigns, invocation: invocation)
        let loaded = try place.map {
            try ConfigFile.read($0.path, isNamed: $0.isNamed, owners: $0.owners)
        }
        if let loaded, loaded.diagnostics.hasErrors {
            throw ConfigErrors(findings: loaded.diagnostics, ignores: loaded.ignores)
        }
        return try EffectiveSettings(
            flags, place: place, loaded: loaded, campaigns: campaigns, invocation: invocation)
    }

    private init(
        _ flags: SettingFlags, place: ConfigLocation?, loaded: LoadedConfig?,
        campaigns: [CampaignLocation], invocation: Invocation
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

    /// The exports folder from the option, the variable or the config, in this order.
    private static func audiences(
        _ flags: SettingFlags, config: Config?, isConfigNamed: Bool, invocation: Invocation
    ) throws(Refused) -> ExportFolder? {
        let name = flags.audiences ?? invocation["HUBSEND_AUDIENCES"]
        if let name { try StoreChoice.refuseUnexpanded(name, for: "audiences") }
        guard let path = name ?? config?.audiences else { return nil }
        return ExportFolder(
            path: Path.cleaned(Path.resolved(invocation.absolute(path))),
            isChosen: name != nil || isConfigNamed)
    }

    var scope: FileScope {
        FileScope(
            root: configPath == nil ? nil : base,
            refused: [configPath, reports, audit].compactMap(\.self) + secretFiles + storeFiles,
            exports: audiences)
    }

    /// The local files of the store.
    var storeFiles: [String] {
        guard let file = store.file else {
            return ["payload.key", "keys.lock"].map { localFolder + "/" + $0 }
        }
        return ["", "-wal", "-shm", ".mark", ".machine", ".lock", ".key", ".forgotten.key"].map {
            file + $0
        }
    }

    /// A command line that uses the same settings.
    func command(_ words: String...) -> String { commandForm(words) }

    func requiredHub() throws(Refused) -> HubChoice {
        if let hub { return hub }
        guard let hubName else {
            throw Refused(
                """
                No hub is configured. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE or _COMMAND) and, \
                unless it is a local hub, HUBSEND_HUB_NAME, or write `hub:` in hubsend.yaml. To try things on this \
                machine, write `hub: { local: devices.yaml }`.
                """)
        }
        throw Refused(
            """
            \(hubName.setting) names the hub \(VisibleText.escape(hubName.name)), but its \
            connection string is not set. Set HUBSEND_HUB_CONNECTION_STRING, or \
            HUBSEND_HUB_CONNECTION_STRING_FILE to the path of a file that contains it.
            """)
    }
}

// With a second store, everybody would get pushes twice, so these checks run before any sending.
extension EffectiveSettings {
    /// Refuses a campaign from standard input, which has no folder, if no setting names a store.
    func requireStorePath() throws(Refused) {
        guard !storeChoice.isSettled, campaigns.contains(where: { $0.home == nil }) else { return }
        throw Refused(
            """
            A campaign from standard input has no folder for its store, so nothing is sent. Name a store with --store or \
            HUBSEND_STORE, or a config with --config, and use the same one each time.
            """)
    }

    /// Refuses a real hub if only the campaign's folder determines the store.
    ///
    /// Also refuses a link to a file with another config.
    func requireStorePath(forHubAt host: String, isLoopback: Bool) throws {
        guard isLoopback || storeChoice.isSettled else {
            throw Refused(
                """
                The hub at \(host) is not on this machine, and no hubsend.yaml or setting says where the store is. The store \
                remembers who was sent what, so nothing is sent without it. Write a hubsend.yaml next to the campaign or in a \
                folder above it, such as `store: .hubsend/store.sqlite`, or name a store with --store or HUBSEND_STORE.
                """)
        }
        for campaign in campaigns { try refuseOtherConfig(ofLink: campaign) }
    }

    /// Refuses a link to a file with another config, because a campaign must not have two stores.
    private func refuseOtherConfig(ofLink campaign: CampaignLocation) throws {
        guard !isConfigNamed, !storeChoice.isNamed, let home = campaign.home,
            home != campaign.folder
        else { return }
        guard
            try ConfigLocation.nearest(from: campaign.folder) != ConfigLocation.nearest(from: home)
        else { return }
        throw Refused(
            """
            The campaign \(campaign.path) is a link to a file with another config, and therefore another store, so nothing \
            is sent. Name that file: \(Path.resolved(invocation.absolute(campaign.path)))
            """)
    }
}

/// Flags for values that a variable or the config can also set.
struct SettingFlags: Hashable, Sendable {
    var config: String?
    var store: String?
    var reports: String?
    var audiences: String?
}

extension SecretSource {
    fileprivate var file: String? {
        if case .file(let path) = self { path } else { nil }
    }
}

extension BackendSettings {
    /// Files that a campaign must not use as a payload.
    fileprivate var secretFiles: [String] {
        [users, tls?.key, audit].compactMap(\.self) + (jwt?.keys.map(\.file) ?? [])
    }
}
