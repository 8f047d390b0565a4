import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import NotificationHubs
import Reports
import Storage

/// What flags, environment and config file come to: a flag beats a variable beats the file beats the default.
struct Settings: Sendable {
    let invocation: Invocation
    /// The config file; nil when there is none.
    let configPath: String?
    /// Whether a flag or a variable named the config file.
    private let isConfigNamed: Bool
    /// Warnings about the config file.
    let configFindings: [Diagnostic]
    /// Files with keys and handles that any setting names, whether it wins or not.
    private let secretFiles: [String]
    /// Keys of the config file that this version does not act on.
    private let unsupportedKeys: [UnsupportedKey]
    /// The folder that the config's paths are relative to.
    let base: String
    /// Where store and reports are, and what says so.
    private let storeChoice: StoreChoice
    /// The campaigns that the command names.
    let campaigns: [CampaignPlace]
    /// nil when nothing names a hub.
    let hub: HubChoice?
    /// The devices file that the config names, whether its hub is in force or not.
    let devicesFile: String?
    /// The hub's name, where a variable or the config gives it.
    let hubName: String?
    /// What the config says about all campaigns.
    let limits: CampaignLimits
    /// What the config says about the app backend.
    let backend: BackendSettings
    /// Who may be sent a rehearsal although a campaign does not reach them.
    let testers: Set<Username>

    /// The store's file, absolute.
    var store: String { storeChoice.store }
    /// The folder for reports, absolute.
    var reports: String { storeChoice.reports }
    /// The file that audit lines go to, absolute.
    var audit: String {
        backend.audit.map { Path.cleaned(invocation.absolute($0)) }
            ?? Path.folder(of: store) + "/audit.jsonl"
    }
    /// The flags that a command to continue a run needs too.
    var repeatedOptions: [String] { storeChoice.options }

    /// Brings the settings together.
    ///
    /// - Parameters:
    ///   - options: the flags.
    ///   - campaigns: the campaign files that the command names, beside or above which a config may be.
    ///   - invocation: environment and current folder.
    /// - Returns: the settings.
    /// - Throws: ``CommandFailure``, `InputFileError` or ``ConfigFaults``.
    static func load(
        _ options: GlobalOptions, campaigns: [String], invocation: Invocation = .current()
    ) throws -> Settings {
        let campaigns = campaigns.map { CampaignPlace($0, invocation) }
        let place = try ConfigPlace.find(options, for: campaigns, invocation: invocation)
        let loaded = try place.map {
            try ConfigFile.read($0.path, isNamed: $0.isNamed, owners: $0.owners)
        }
        if let loaded, loaded.diagnostics.hasErrors {
            throw ConfigFaults(findings: loaded.diagnostics)
        }
        return try Settings(
            options, place: place, loaded: loaded, campaigns: campaigns, invocation: invocation)
    }

    private init(
        _ options: GlobalOptions, place: ConfigPlace?, loaded: LoadedConfig?,
        campaigns: [CampaignPlace], invocation: Invocation
    ) throws {
        self.invocation = invocation
        configPath = place?.path
        isConfigNamed = place?.isNamed ?? false
        configFindings = loaded?.diagnostics ?? []
        unsupportedKeys = loaded?.unsupportedKeys ?? []
        let folder = place.map { Path.folder(of: $0.path) } ?? "."
        base = Path.resolved(invocation.absolute(folder))
        let config = loaded?.config
        storeChoice = try StoreChoice(
            options, config: place.map { ($0.path, config) }, campaigns: campaigns,
            invocation: invocation)
        self.campaigns = campaigns
        hubName = invocation["HUBSEND_HUB_NAME"] ?? config?.hub?.name
        devicesFile = config?.hub?.devices
        limits = config?.limits ?? CampaignLimits()
        backend = config?.backend ?? BackendSettings()
        testers = config?.testers ?? []
        let keyFile = invocation[Secret.connectionString + "_FILE"].map(invocation.absolute)
        let payloadKey = invocation[Secret.payloadKey + "_FILE"].map(invocation.absolute)
        secretFiles =
            [keyFile, payloadKey, config?.hub?.file].compactMap(\.self) + backend.secretFiles
        hub = HubChoice(invocation: invocation, config: config, name: hubName)
    }

    /// Which files a campaign may name.
    var scope: FileScope {
        let database = ["", "-wal", "-shm", ".mark", ".lock", ".key"].map { store + $0 }
        return FileScope(
            root: configPath == nil ? nil : base,
            refused: [configPath, reports, audit].compactMap(\.self) + secretFiles + database)
    }

    /// The rehearsal that flags ask for.
    ///
    /// - Parameters:
    ///   - people: whom they name.
    ///   - model: whose values they ask for.
    /// - Returns: nil when they name nobody.
    func rehearsal(to people: [Username], as model: Username?) -> Rehearsal? {
        people.isEmpty ? nil : Rehearsal(people: people, testers: testers, model: model)
    }

    /// A command line that does something with a run of these settings.
    func command(_ words: String...) -> String {
        (["hubsend"] + words + repeatedOptions).map(ShellWord.quoted).joined(separator: " ")
    }

    /// Refuses keys of the config that nothing acts on yet: what they ask for would silently not happen.
    ///
    /// - Throws: ``CommandFailure`` for the first of them.
    func refuseUnsupportedKeys() throws {
        guard let configPath, let key = unsupportedKeys.first else { return }
        throw CommandFailure(.configuration, key.refusal(in: configPath))
    }

    /// The hub, or what is missing.
    ///
    /// - Throws: ``CommandFailure`` when nothing names a hub.
    func requiredHub() throws -> HubChoice {
        guard let hub else {
            throw CommandFailure(
                .configuration,
                """
                No hub is configured. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE or _COMMAND) and, \
                unless it is a local hub, HUBSEND_HUB_NAME, or write a hubsend.yaml with `hub:` beside the campaign; \
                `hub: { local: devices.yaml }` tries things on this machine.
                """)
        }
        return hub
    }
}

/// What has to be sure about the store before anything is stored or sent: a second store would have everybody sent to twice.
extension Settings {
    /// Refuses a campaign from standard input, beside which no store can be, where nothing names one.
    ///
    /// - Throws: ``CommandFailure``.
    func requireStorePlace() throws {
        guard !storeChoice.isSettled, campaigns.contains(where: { $0.home == nil }) else { return }
        throw CommandFailure(
            .configuration,
            """
            A campaign from standard input has no folder beside which its store could be, so nothing is sent. Name a store \
            with --store or HUBSEND_STORE or a config with --config, or write a hubsend.yaml into the current folder.
            """)
    }

    /// Refuses to send to real people with a store that only the place of a campaign leads to, and to send a link whose file
    /// has another store.
    ///
    /// - Parameter connection: where pushes would go.
    /// - Throws: ``CommandFailure``.
    func requireStorePlace(for connection: HubConnection) throws {
        guard connection.isLoopback || storeChoice.isSettled else {
            throw CommandFailure(
                .configuration,
                """
                The hub at \(connection.connectionString.endpoint.host) is not on this machine, and neither a hubsend.yaml \
                nor a setting says where the store is that remembers who was sent what, so nothing is sent. Write a \
                hubsend.yaml beside the campaign or in a folder above it, such as `store: .hubsend/store.sqlite`, or name \
                a store with --store or HUBSEND_STORE.
                """)
        }
        for campaign in campaigns { try refuseOtherConfig(ofLink: campaign) }
    }

    /// A link and what it leads to are one campaign, and must not have two stores.
    private func refuseOtherConfig(ofLink campaign: CampaignPlace) throws {
        guard !isConfigNamed, !storeChoice.isNamed, let home = campaign.home,
            home != campaign.folder
        else { return }
        let configs = try [campaign.folder, home].map(ConfigPlace.nearest)
        guard configs[0] != configs[1] else { return }
        throw CommandFailure(
            .configuration,
            """
            The campaign \(campaign.path) is a link, and the file that it leads to has another config and so another store, \
            so nothing is sent. Name that file: \(Path.resolved(invocation.absolute(campaign.path)))
            """)
    }
}

extension BackendSettings {
    /// Files that no campaign may send to anybody.
    fileprivate var secretFiles: [String] {
        [users, tls?.key, audit].compactMap(\.self) + (jwt?.keys.map(\.file) ?? [])
    }
}

extension UnsupportedKey {
    /// Why nothing is sent.
    func refusal(in path: String) -> String {
        """
        \(path):\(range.line):\(range.column): this version does not act on `\(key)` yet, so nothing is sent. Take the key \
        out, or use a version that does.
        """
    }
}

/// The config file has faults; nothing can be done with it.
struct ConfigFaults: Error {
    let findings: [Diagnostic]
}
