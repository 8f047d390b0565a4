import LocalHub
import Logging
import ProcessControl
import Subprocess

struct HubExec: Sendable {
    /// The parent of temporary folders if `TMPDIR` is not set.
    private static let standardFolder = "/tmp"
    private static let folderPrefix = "hubsend-exec-"

    private let program: Program
    private let configuration: LocalHubConfiguration
    private let invocation: Invocation
    private let logger: Logger

    /// Finds the command but does not start anything yet; the hub gets a second port for TLS.
    init(
        _ command: [String], at configuration: LocalHubConfiguration, _ invocation: Invocation,
        logger: Logger
    ) throws {
        var configuration = configuration
        configuration.tls = LocalHubTLS()
        self.configuration = configuration
        self.invocation = invocation
        self.logger = logger
        program = try Program(
            command, in: invocation.currentFolder, searching: invocation["PATH"])
    }

    /// Runs the hub and the command; returns the command's exit code, or 128 plus the number of a
    /// signal.
    func run() async throws -> Int32 {
        let parent = invocation.absolute(invocation["TMPDIR"] ?? Self.standardFolder)
        let ignored = SignalFeed.ignored
        return try await SignalFeed.run { feed in
            WorkFolder.removeRemnants(in: parent, prefix: Self.folderPrefix, logger: logger)
            let folder = try WorkFolder(in: parent, prefix: Self.folderPrefix)
            defer { remove(folder) }
            try folder.makeFolder(ExecEnvironment.reports)
            return try await HubWithWork.run { onReady in
                try await LocalHubServer(
                    configuration: configuration, logger: logger, onReady: onReady
                ).run()
            } _: { address in
                if let authority = address.authorityPEM {
                    try folder.write(authority, to: ExecEnvironment.authority)
                }
                if let signal = feed.beginChild() { return 128 + signal }
                return try await ChildProgram(
                    program: program,
                    environment: ExecEnvironment.environment(
                        of: address, in: folder, invocation),
                    ignoredSignals: ignored, onTrouble: { Console.complain("hubsend: \($0)") }
                ).run(feed.signals)
            } onTrouble: { error in
                Console.complain(
                    "hubsend: The hub failed while stopping: \(Refused(for: error).sentence)")
            }
        }
    }

    /// Reports a folder that cannot be removed, without changing the exit code.
    private func remove(_ folder: WorkFolder) {
        do {
            try folder.remove()
        } catch {
            Console.complain("hubsend: \(Refused(for: error).sentence)")
        }
    }
}

/// The environment of the command that `hubsend hub exec` runs.
enum ExecEnvironment {
    /// The hub's HTTP address, for its inbox page and its JSON.
    static let url = "HUBSEND_HUB_URL"
    /// The connection string for clients that require TLS.
    static let tlsConnectionString = "HUBSEND_HUB_TLS_CONNECTION_STRING"

    /// The caller's environment, changed to use the fresh hub and the temporary folder.
    ///
    /// Variables that refer to another hub, or to a different way to reach a hub, are removed.
    /// `HUBSEND_CONFIG` is kept, because these variables override its hub, store and reports, and
    /// its other settings are part of what is tested.
    ///
    /// This machine's names are added to `NO_PROXY`, because most clients would use a proxy for the
    /// hub.
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

    /// The names of the store, the reports folder and the certificate to trust in the temporary
    /// folder.
    private static let store = "store.sqlite"
    static let reports = "reports"
    static let authority = "ca.pem"
    private static let loopbackHosts = "localhost,127.0.0.1,::1"

    /// The variables to set, or to remove if the value is nil.
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
