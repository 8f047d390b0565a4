import CampaignCore
import CampaignFormat
import Files
import PostgreSQLClient

/// The store and the folder for reports that flags, environment, config and campaigns lead to (contract, section 2).
struct StoreChoice: Sendable {
    /// Beneath the folder of the config or, where there is none, of the campaign.
    private static let folder = ".hubsend"

    /// Where the store is.
    let store: StoreAddress
    /// The folder for reports, absolute.
    let reports: String
    /// Whether a flag, a variable or a config says where the store is.
    let isSettled: Bool
    /// Whether a flag or a variable names it, so that it does not depend on the config.
    let isNamed: Bool
    /// The flags that lead to the same places, in whatever folder they are used.
    let options: [String]

    /// - Parameters:
    ///   - flags: the flags.
    ///   - config: the config file as it was named, and what it says; nil: there is none.
    ///   - campaigns: those of the call.
    ///   - invocation: environment and current folder.
    /// - Throws: ``SettingFault`` when the campaigns have several stores, or nothing expanded a path.
    init(
        _ flags: SettingFlags, config: (path: String, content: Config?)?,
        campaigns: [CampaignPlace], invocation: Invocation
    ) throws {
        let storeName = flags.store ?? invocation["HUBSEND_STORE"]
        let reportsName = flags.reports ?? invocation["HUBSEND_REPORTS"]
        // First: a path is shown where it is refused.
        let server = try Self.server(flags, config: config, invocation: invocation)
        for (name, setting) in [(storeName, "store"), (reportsName, "reports")] {
            if let name { try Self.refuseUnexpanded(name, for: setting) }
        }
        // Resolved before it is cleaned: `link/..` is beside what the link leads to.
        let absolute = { (path: String) in
            Path.cleaned(Path.resolved(invocation.absolute(path)))
        }
        let homes = Set(campaigns.compactMap(\.home))
        guard config != nil || storeName != nil || homes.count <= 1 else {
            throw SettingFault.severalStores(homes.sorted())
        }
        // Never where the caller happens to stand, if there is a campaign.
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
        // Absolute, and the variables' too: cron's are not those of the shell that a command is pasted into.
        var options = config.map { ["--config", invocation.absolute($0.path)] } ?? []
        if config == nil || storeName != nil, let option = store.option {
            options += ["--store", option]
        }
        if config == nil || reportsName != nil { options += ["--reports", reports] }
        self.options = options
    }

    /// The server that the nearest setting names; nil: it names a file.
    ///
    /// A password is kept out of command lines, which everybody on a host can read, and out of configs, which are in version
    /// control; that of a config also where another setting counts.
    private static func server(
        _ flags: SettingFlags, config: (path: String, content: Config?)?, invocation: Invocation
    ) throws(SettingFault) -> PostgreSQLAddress? {
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

    /// Reads a server's address.
    ///
    /// - Parameters:
    ///   - text: a URI.
    ///   - setting: what gives it, as a sentence names it.
    ///   - mayHavePassword: whether nobody else sees it there.
    /// - Throws: ``SettingFault``, which shows nothing of the text.
    private static func address(
        _ text: String, setting: String, mayHavePassword: Bool
    ) throws(SettingFault) -> PostgreSQLAddress {
        let address: PostgreSQLAddress
        do {
            address = try PostgreSQLAddress(text)
        } catch {
            throw .unusableStoreAddress(error, setting: setting)
        }
        guard mayHavePassword || !address.hasPassword else {
            throw .passwordInStoreAddress(setting: setting)
        }
        return address
    }

    /// Refuses a path with a part that should have been replaced: it would lead to another place from each folder.
    ///
    /// Shells leave a `~` behind `=` as it is, crontabs know no variables, and container engines keep quotes.
    static func refuseUnexpanded(_ name: String, for setting: String) throws(SettingFault) {
        guard name.allSatisfy(\.isWhitespace) || name.first.map("~$\"'".contains) == true else {
            return
        }
        throw .unexpandedPath(name, setting: setting)
    }
}
