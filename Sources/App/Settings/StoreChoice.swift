import CampaignCore
import CampaignFormat
import Files
import PostgreSQLClient

/// The store and the reports folder, chosen from flags, environment, config and campaigns.
struct StoreChoice: Sendable {
    /// The name of the folder next to the config or, if there is no config, next to the campaign.
    private static let folder = ".hubsend"

    let store: StoreAddress
    let reports: String
    /// Whether a flag, a variable or a config determines the store.
    let isSettled: Bool
    /// Whether a flag or a variable names the store, regardless of the config.
    let isNamed: Bool
    /// Flags that select the same store and reports in any folder.
    let options: [String]

    /// - Throws: ``Refused`` if the campaigns have several stores or a path is not expanded.
    init(
        _ flags: SettingFlags, config: (path: String, content: Config?)?,
        campaigns: [CampaignLocation], invocation: Invocation
    ) throws {
        let storeName = flags.store ?? invocation["HUBSEND_STORE"]
        let reportsName = flags.reports ?? invocation["HUBSEND_REPORTS"]
        // Check for a server first, because an error about a path quotes it and an address may have
        // a password.
        let server = try Self.server(flags, config: config, invocation: invocation)
        for (name, setting) in [(storeName, "store"), (reportsName, "reports")] {
            if let name { try Self.refuseUnexpanded(name, for: setting) }
        }
        // Links are resolved before cleaning, because `link/..` is next to the link's target.
        let absolute = { (path: String) in
            Path.cleaned(Path.resolved(invocation.absolute(path)))
        }
        let homes = Set(campaigns.compactMap(\.home))
        guard config != nil || storeName != nil || homes.count <= 1 else {
            throw Refused(
                """
                These campaigns have no config and are in different folders, so each has its own \
                store: \(homes.sorted().joined(separator: ", ")). Run them one by one. If none of \
                them has ever been sent, they can share one store: write a hubsend.yaml in a \
                folder above them all, or use the same --store each time.
                """)
        }
        // With a campaign, the current folder never matters.
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
        // The flags are included even if the values come from variables, because variables are
        // different in cron.
        var options = config.map { ["--config", invocation.absolute($0.path)] } ?? []
        if config == nil || storeName != nil, let option = store.option {
            options += ["--store", option]
        }
        if config == nil || reportsName != nil { options += ["--reports", reports] }
        self.options = options
    }

    /// The server that the effective setting names; nil if it names a file.
    ///
    /// Passwords are refused in command lines, which everybody on a host can read, and in configs,
    /// which are under version control, even if another setting overrides them.
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

    /// Parses an address, which no error quotes because it may contain a password.
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
                \(setting) contains a password, which others can read there. Put it into the \
                password file that PGPASSFILE names (by default ~/.pgpass) or into a service file, \
                or set HUBSEND_STORE to the whole address.
                """)
        }
        return address
    }

    static func refusal(_ problem: PostgreSQLAddressError, setting: String) -> Refused {
        switch problem {
        case .noLibrary: Refused("\(setting) names a store on a PostgreSQL server. \(problem)")
        default: Refused("The address in \(setting) is wrong. \(problem)")
        }
    }

    /// Refuses a path that was not expanded, which would be a different place in each folder.
    ///
    /// Shells do not expand `~` after `=`, crontabs expand no variables, and container engines keep
    /// quotes.
    static func refuseUnexpanded(_ name: String, for setting: String) throws(Refused) {
        let problem: String
        if name.allSatisfy(\.isWhitespace) {
            problem = "is empty"
        } else if let sign = name.first, "~$\"'".contains(sign) {
            problem =
                "\(ShellWord.quoted(name)) begins with \(sign), which was not expanded"
        } else {
            return
        }
        throw Refused(
            """
            The path in --\(setting) or HUBSEND_\(setting.uppercased()) \(problem). Give the absolute path.
            """)
    }
}
