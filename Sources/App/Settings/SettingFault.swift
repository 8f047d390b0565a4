import CampaignCore
import CampaignFormat
import Files
import PostgreSQLClient
import ProcessControl

/// Why flags, variables and the config give no usable settings.
enum SettingFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// hubsend's variables that are empty or only spaces; at least one.
    case emptyVariables([String])
    /// Names that look like misspellings of hubsend's variables; at least one.
    case misspelledVariables([Misspelling])
    /// Campaigns of one call with different configs; nil: without one.
    case severalConfigs([String?])
    /// A config whose name ends in `.yml`.
    case misnamedConfig(String, meant: String)
    /// Campaigns of one call without a config, in different folders, absolute.
    case severalStores([String])
    /// A path with an unexpanded part such as `~` or `$HOME`.
    case unexpandedPath(String, setting: String)
    case unusableStoreAddress(PostgreSQLAddressFault, setting: String)
    /// A server's address with a password, where others can see it.
    case passwordInStoreAddress(setting: String)
    /// A campaign on standard input, with no setting for the store.
    case noStoreForStandardInput
    /// A hub on another machine, with no setting for the store.
    case noStoreForHub(host: String)
    /// A campaign that is a link to a file with another config.
    case otherConfigOfLink(campaign: String, file: String)
    /// An audience file in the folder of exports, which is not set.
    case noExportFolder(AudienceConditions.MissingExport)
    case noHub
    /// A hub that a setting names, without a connection string.
    case noConnectionString(HubNaming)
    /// A hub on another machine without a name; `setting` gives its connection string.
    case noHubName(setting: String, host: String)
    /// A connection string whose `EntityPath` differs from the hub that a setting names.
    case severalHubs(path: String, setting: String, HubNaming)
    /// A config with a local hub, and a variable with another's name but no connection string.
    case localAndNamedHub(config: String, hub: HubNaming)
    /// A config with a local hub, and a variable for a hub on another machine.
    case localAndDistantHub(config: String, setting: String, host: String)
    /// A local hub that listens beyond this machine with published keys; the variable for others.
    case publishedKeys(host: String, setting: String)
    case emptyPath(flag: String)
    case unusableFile(String, setting: String, FileFault)
    /// A file of authorities without a certificate.
    case noCertificate(path: String)
    case unusableSecret(setting: String)
    case emptySecret(setting: String)
    /// A command that printed no secret.
    case command(ShellCommand.Failure, setting: String)
    /// A malformed proxy; without the value, which may hold a password.
    case unusableProxy
    case unusableBackendAddress

    /// A variable's name, and the one that was probably meant.
    struct Misspelling: Hashable, Sendable {
        let name: String
        let meant: String
    }

    var description: String {
        switch self {
        case .emptyVariables(let names) where names.count == 1:
            "The variable \(names[0]) is set, but empty. Give it a value, or unset it."
        case .emptyVariables(let names):
            "The variables \(names.joined(separator: ", ")) are set, but empty. Give them values, or unset them."
        case .misspelledVariables(let all):
            all.map { "There is no variable \($0.name); did you mean \($0.meant)?" }
                .joined(separator: " ")
        case .misnamedConfig(let path, let meant):
            "The file \(VisibleText.path(path)) is not read, since a config is named hubsend.yaml. Rename it: mv \(ShellWord.quoted(path)) \(ShellWord.quoted(meant))"
        case .severalConfigs(let paths):
            """
            These campaigns have different config files: \
            \(paths.map { $0 ?? "none" }.sorted().joined(separator: ", ")). \
            Run them one by one.
            """
        case .severalStores(let folders):
            """
            These campaigns have no config and stand in different folders, so each has a store of its own beside it: \
            \(folders.sorted().joined(separator: ", ")). Run them one by one. If none of them was ever sent, a hubsend.yaml \
            in a folder above them all, or the same --store in each call from now on, gives them one store.
            """
        case .unexpandedPath(let path, let setting):
            """
            The path in --\(setting) or HUBSEND_\(setting.uppercased()) \(Self.trouble(with: path)). Give the whole path, \
            from the root on.
            """
        case .unusableStoreAddress(.noLibrary(let fault), let setting):
            "\(setting) names a store on a PostgreSQL server. \(fault)"
        case .unusableStoreAddress(let fault, let setting):
            "What \(setting) gives is wrong. \(fault)"
        case .passwordInStoreAddress(let setting):
            """
            \(setting) has a password, which others can read there. Put it into the password file that PGPASSFILE names \
            (~/.pgpass without it) or into a service file, or give the whole address in HUBSEND_STORE.
            """
        case .noStoreForStandardInput:
            """
            A campaign from standard input has no folder beside which its store could be, so nothing is sent. Name its store \
            with --store or HUBSEND_STORE, or its config with --config, and the same one each time.
            """
        case .noStoreForHub(let host):
            """
            The hub at \(host) is not on this machine, and neither a hubsend.yaml nor a setting says where the store is \
            that remembers who was sent what, so nothing is sent. Write a hubsend.yaml beside the campaign or in a folder \
            above it, such as `store: .hubsend/store.sqlite`, or name a store with --store or HUBSEND_STORE.
            """
        case .otherConfigOfLink(let campaign, let file):
            """
            The campaign \(campaign) is a link, and the file that it leads to has another config and so another store, \
            so nothing is sent. Name that file: \(file)
            """
        case .noExportFolder(let file):
            """
            \(file.campaign):\(file.range.line):\(file.range.column): "\(file.path)" lies in the folder of exports, and \
            nothing says where that is. Set HUBSEND_AUDIENCES, give --audiences, or write `audiences:` into hubsend.yaml.
            """
        case .noHub:
            """
            No hub is configured. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE or _COMMAND) and, \
            unless it is a local hub, HUBSEND_HUB_NAME, or write `hub:` into hubsend.yaml; \
            `hub: { local: devices.yaml }` tries things on this machine.
            """
        case .noConnectionString(let hub):
            """
            \(hub.setting) names the hub \(VisibleText.escape(hub.name)), but its connection string is not set. Set \
            HUBSEND_HUB_CONNECTION_STRING, or HUBSEND_HUB_CONNECTION_STRING_FILE to a file that holds it.
            """
        case .noHubName(let setting, let host):
            """
            \(setting) leads to \(host), but nothing names the hub there. Set HUBSEND_HUB_NAME, or write \
            `hub: { name: … }` into hubsend.yaml.
            """
        case .severalHubs(let path, let setting, let hub):
            """
            \(setting) is for the hub \(path) (its EntityPath), and \(hub.setting) names the hub \
            \(VisibleText.escape(hub.name)). Correct one of them.
            """
        case .localAndNamedHub(let config, let hub):
            """
            \(config) names the local hub (hub.local), and \(hub.setting) names the hub \(VisibleText.escape(hub.name)). To \
            try things on this machine, unset \(hub.setting); to send through that hub, set \
            HUBSEND_HUB_CONNECTION_STRING too, and remove `local` from the config's `hub`.
            """
        case .localAndDistantHub(let config, let setting, let host):
            """
            \(config) names the local hub (hub.local), and \(setting) leads to the hub at \(host). To try things on this \
            machine, unset \(setting); to send through \(host), remove `local` from the config's `hub`.
            """
        case .publishedKeys(let host, let setting):
            """
            --listen \(host) lets other machines in, and the keys of the local hub are published; give it keys of its own \
            in \(setting) (see man hubsend-hub), or listen on 127.0.0.1
            """
        case .emptyPath(let flag): "\(flag) names no file; give it a path"
        case .unusableFile(let path, let setting, let fault):
            "The file \(path) that \(setting) names \(fault.text(path: ShellWord.quoted(path)))"
        case .noCertificate(let path):
            """
            The file \(path) that \(HubRoute.authoritiesVariable) names holds no certificate in PEM; it begins with \
            -----BEGIN CERTIFICATE-----.
            """
        case .unusableSecret(let setting):
            "What \(setting) gives is no secret: it is too long or not text."
        case .emptySecret(let setting): "What \(setting) gives is empty."
        case .command(let failure, let setting): "The command in \(setting) \(failure)."
        case .unusableProxy:
            """
            What \(HubRoute.proxyVariable) gives is no proxy. Write http://, its host and its port, such as \
            http://proxy.example:3128; a proxy that wants a password cannot be used.
            """
        case .unusableBackendAddress:
            "The config's `backend.listen` is no address to listen on: \(HostAndPort.advice)."
        }
    }

    private static func trouble(with path: String) -> String {
        guard let sign = path.first, !path.allSatisfy(\.isWhitespace) else { return "is empty" }
        return "\(ShellWord.quoted(path)) begins with \(sign) as it stands: nothing expanded it"
    }
}

/// The config, or a file that it names, has errors and cannot be used.
struct ConfigFaults: Error {
    /// The errors, and any warnings.
    let findings: [Diagnostic]
    let ignores: IgnoreComments

    init(findings: [Diagnostic], ignores: IgnoreComments = IgnoreComments()) {
        self.findings = findings
        self.ignores = ignores
    }
}
