import CampaignCore
import CampaignFormat
import Files
import PostgreSQLClient

/// The store and the reports folder that flags, environment, config and campaigns lead to.
struct StoreChoice: Sendable {
    /// Below the folder of the config, or else of the campaign.
    private static let folder = ".hubsend"

    let store: StoreAddress
    let reports: String
    /// Whether a flag, a variable or a config says where the store is.
    let isSettled: Bool
    /// Whether a flag or a variable names it, independent of the config.
    let isNamed: Bool
    /// Flags for the same places, valid in any folder.
    let options: [String]

    /// - Throws: ``Refused`` when the campaigns have several stores, or a path is unexpanded.
    init(
        _ flags: SettingFlags, config: (path: String, content: Config?)?,
        campaigns: [CampaignPlace], invocation: Invocation
    ) throws {
        let storeName = flags.store ?? invocation["HUBSEND_STORE"]
        let reportsName = flags.reports ?? invocation["HUBSEND_REPORTS"]
        // This comes first, since refusing a path shows it.
        let server = try Self.server(flags, config: config, invocation: invocation)
        for (name, setting) in [(storeName, "store"), (reportsName, "reports")] {
            if let name { try Self.refuseUnexpanded(name, for: setting) }
        }
        // Resolved before it is cleaned: `link/..` is next to the link's target.
        let absolute = { (path: String) in
            Path.cleaned(Path.resolved(invocation.absolute(path)))
        }
        let homes = Set(campaigns.compactMap(\.home))
        guard config != nil || storeName != nil || homes.count <= 1 else {
            throw Refused(
                """
                These campaigns have no config and stand in different folders, so each has a store of its own beside it: \
                \(homes.sorted().joined(separator: ", ")). Run them one by one. If none of them was ever sent, a \
                hubsend.yaml in a folder above them all, or the same --store in each call from now on, gives them one store.
                """)
        }
        // If there is a campaign, the caller's folder never counts.
        let base = config.map { Path.folder(of: $0.path) } ?? (homes.count == 1 ? homes.first : nil)
        let place = absolute(base ?? ".") + "/" + Self.folder
        store =
            server.map { .server($0, localFolder: place) }
            ?? .file(absolute(storeName ?? config?.content?.store ?? place + "/store.sqlite"))
        let standard =
            (base == nil && storeName != nil ? store.localFolder : place) + "/reports"
        reports = absolute(reportsName ?? config?.content?.reports ?? standard)
        isNamed = storeName != nil
        isSettled = config != nil || storeName != nil
        // Absolute, even from variables: cron's differ from those of an interactive shell.
        var options = config.map { ["--config", invocation.absolute($0.path)] } ?? []
        if config == nil || storeName != nil, let option = store.option {
            options += ["--store", option]
        }
        if config == nil || reportsName != nil { options += ["--reports", reports] }
        self.options = options
    }

    /// The server that the nearest setting names; nil: it names a file.
    ///
    /// Passwords are refused in command lines, which everybody on a host can read, and in configs,
    /// which are under version control, even if another setting wins.
    private static func server(
        _ flags: SettingFlags, config: (path: String, content: Config?)?, invocation: Invocation
    ) throws(Refused) -> PostgreSQLAddress? {
        var inConfig: PostgreSQLAddress?
        if let config, let text = config.content?.store, StoreURI.isMeant(text) {
            inConfig = try address(
                text, setting: "`store` of \(VisibleText.path(config.path))",
                mayHavePassword: false)
        }
        if let flag = flags.store {
            guard StoreURI.isMeant(flag) else { return nil }
            return try address(flag, setting: "--store", mayHavePassword: false)
        }
        if let variable = invocation["HUBSEND_STORE"] {
            guard StoreURI.isMeant(variable) else { return nil }
            return try address(variable, setting: "HUBSEND_STORE", mayHavePassword: true)
        }
        return inConfig
    }

    /// `mayHavePassword`: nobody else sees it there; no error shows any of the text.
    private static func address(
        _ text: String, setting: String, mayHavePassword: Bool
    ) throws(Refused) -> PostgreSQLAddress {
        let address: PostgreSQLAddress
        do {
            address = try PostgreSQLAddress(text)
        } catch {
            throw refusal(error, setting: setting)
        }
        guard mayHavePassword || !address.hasPassword else {
            throw Refused(
                """
                \(setting) has a password, which others can read there. Put it into the password file that PGPASSFILE \
                names (~/.pgpass without it) or into a service file, or give the whole address in HUBSEND_STORE.
                """)
        }
        return address
    }

    static func refusal(_ fault: PostgreSQLAddressFault, setting: String) -> Refused {
        switch fault {
        case .noLibrary: Refused("\(setting) names a store on a PostgreSQL server. \(fault)")
        default: Refused("What \(setting) gives is wrong. \(fault)")
        }
    }

    /// Refuses a path with an unexpanded part, which would mean another place in each folder.
    ///
    /// Shells keep `~` after `=`, crontabs expand no variables, container engines keep quotes.
    static func refuseUnexpanded(_ name: String, for setting: String) throws(Refused) {
        let fault: String
        if name.allSatisfy(\.isWhitespace) {
            fault = "is empty"
        } else if let sign = name.first, "~$\"'".contains(sign) {
            fault =
                "\(ShellWord.quoted(name)) begins with \(sign) as it stands: nothing expanded it"
        } else {
            return
        }
        throw Refused(
            """
            The path in --\(setting) or HUBSEND_\(setting.uppercased()) \(fault). Give the whole path, from the root on.
            """)
    }
}
