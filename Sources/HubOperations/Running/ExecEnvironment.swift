import LocalHub
import ProcessControl
import Settings
import Subprocess

/// What the command of `hubsend hub exec` finds in its environment (contract, section 11).
enum ExecEnvironment {
    /// The variable with the hub's plain address, where its inbox page and its JSON are.
    static let url = "HUBSEND_HUB_URL"
    /// The variable with the connection string for clients that insist on TLS.
    static let tlsConnectionString = "HUBSEND_HUB_TLS_CONNECTION_STRING"

    /// The caller's environment, changed so that everything leads to the fresh hub and the
    /// temporary folder.
    ///
    /// What names another hub, or another way to one, is taken out. `HUBSEND_CONFIG` stays: these
    /// variables beat what it says about hub, store and reports, and its other settings are part of
    /// what is tried.
    ///
    /// `NO_PROXY` gets this machine's names besides: where a proxy is set, most clients would ask it
    /// for the hub.
    ///
    /// - Parameters:
    ///   - address: the hub.
    ///   - folder: the temporary folder.
    ///   - invocation: the caller's environment.
    /// - Returns: the environment.
    static func environment(
        of address: LocalHubAddress, in folder: WorkFolder, _ invocation: Invocation
    ) -> Environment {
        var all = changes(address, folder)
        for name in ["NO_PROXY", "no_proxy"] {
            let hosts = [invocation[name] ?? "", loopbackHosts].filter { !$0.isEmpty }
            all[Environment.Key(stringLiteral: name)] = hosts.joined(separator: ",")
        }
        return Environment.inherit.updating(all)
    }

    /// The names of what is in the temporary folder: the store, the folder for reports, and the certificate to trust.
    private static let store = "store.sqlite"
    static let reports = "reports"
    static let authority = "ca.pem"
    private static let loopbackHosts = "localhost,127.0.0.1,::1"

    /// What is set, and, with nil, what is taken out.
    static func changes(
        _ address: LocalHubAddress, _ folder: WorkFolder
    ) -> [Environment.Key: String?] {
        let string = Secret.connectionString
        let secondary = Secret.secondaryConnectionString
        return [
            Environment.Key(stringLiteral: string): address.connectionString(.developmentFull),
            Environment.Key(stringLiteral: string + "_FILE"): nil,
            Environment.Key(stringLiteral: string + "_COMMAND"): nil,
            Environment.Key(stringLiteral: secondary): nil,
            Environment.Key(stringLiteral: secondary + "_FILE"): nil,
            Environment.Key(stringLiteral: secondary + "_COMMAND"): nil,
            "HUBSEND_HUB_NAME": address.hubName,
            Environment.Key(stringLiteral: url): address.httpURL,
            Environment.Key(stringLiteral: HubRoute.proxyVariable): nil,
            Environment.Key(stringLiteral: tlsConnectionString):
                address.tlsConnectionString(.developmentFull),
            Environment.Key(stringLiteral: HubRoute.authoritiesVariable):
                address.authorityPEM.map { _ in folder.file(authority) },
            "HUBSEND_STORE": folder.file(store),
            "HUBSEND_REPORTS": folder.file(reports),
        ]
    }
}
