import ArgumentParser
import Foundation
import LocalHub
import Logging
import ProcessControl
import Settings
import Subprocess
import Terminal

/// `hubsend hub exec`.
struct HubExecCommand: AsyncParsableCommand {
    /// Where temporary folders are made when `TMPDIR` is not set.
    private static let standardFolder = "/tmp"
    /// What the names of temporary folders begin with.
    private static let folderPrefix = "hubsend-exec-"

    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Runs one command against a fresh local hub.",
        usage: """
            hubsend hub exec [--devices <file>] [--fault <fault> ...] [--faults <file> ...] \
            [--seed <number>] [--verbose] -- <command> [<argument> ...]
            """,
        discussion: """
            A hub starts on a free port of this machine, with a store and a reports folder that \
            are empty; then the command runs, and finds them by its environment; then all of it \
            is gone, also after Ctrl-C. The command has the terminal and the standard streams.

            For example, in CI, with the tests of a program that sends:

              hubsend hub exec --devices devices.yaml -- npm test
              hubsend hub exec -- sh -c 'hubsend run welcome.yaml && ./check.sh'

            In the environment are HUBSEND_HUB_CONNECTION_STRING, HUBSEND_HUB_NAME, \
            HUBSEND_HUB_URL, HUBSEND_STORE and HUBSEND_REPORTS; for clients that insist on TLS \
            HUBSEND_HUB_TLS_CONNECTION_STRING, and in HUBSEND_HUB_CA the file with the \
            certificate to trust. See man/hubsend-hub.1.

            The exit code is the command's own; 128 and the signal's number where a signal ended \
            it; 126 when it cannot be run, 127 when there is no such command, 2 for wrong options \
            and files.
            """)

    @OptionGroup var content: LocalHubOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("The command and its arguments, behind --.", valueName: "command"))
    var command: [String] = []

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if let option = Self.foreignOption(in: ProcessInfo.processInfo.arguments) {
            throw ValidationError(
                "\(option) is no option of `hub exec`; options of the command stand behind --.")
        }
        let flags = [
            ("--store", options.store), ("--reports", options.reports),
            ("--config", options.config),
        ]
        for (flag, value) in flags where value != nil {
            throw ValidationError(
                """
                Leave \(flag) out: the command gets a store and a reports folder of its own, and \
                reads its config itself.
                """)
        }
        if command.isEmpty {
            throw ValidationError(
                "Name the command behind --, such as: hubsend hub exec -- make test")
        }
    }

    /// The first option that belongs to `hubsend hub` only.
    ///
    /// The parser reads the options of both commands wherever they stand, so that none is unknown
    /// to it.
    static func foreignOption(in words: [String]) -> String? {
        let known: Set = [
            "--devices", "--fault", "--faults", "--seed", "--config", "--store", "--reports",
            "--quiet", "--verbose", "--log-format", "--help", "--version", "-q", "-v", "-qv", "-vq",
            "-h",
        ]
        return words.drop { $0 != "hub" }.prefix { $0 != "--" }.lazy
            .filter { $0.hasPrefix("-") }.map { String($0.prefix { $0 != "=" }) }
            .first { !known.contains($0) }
    }

    func run() async throws {
        let invocation = Invocation.current()
        let logger = options.logger()
        var configuration = try content.configuration(invocation)
        configuration.tls = LocalHubTLS()
        let program = try Program(
            command, in: invocation.currentFolder, searching: invocation["PATH"])
        let parent = invocation.absolute(invocation["TMPDIR"] ?? Self.standardFolder)
        let ignored = SignalFeed.ignored
        let code = try await SignalFeed.run { feed in
            WorkFolder.removeRemnants(in: parent, prefix: Self.folderPrefix, logger: logger)
            let folder = try WorkFolder(in: parent, prefix: Self.folderPrefix)
            defer { Self.remove(folder) }
            try folder.makeFolder(ExecEnvironment.reports)
            return try await HubWithWork.run { [configuration] onReady in
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
                let why = FailureTranslation.end(for: error).message
                Console.complain("hubsend: The hub did not end well: \(why)")
            }
        }
        try CommandEnd.exit(ExitStatus(rawValue: code))
    }

    /// Says it when the folder stays; the command's own end counts all the same.
    private static func remove(_ folder: WorkFolder) {
        do {
            try folder.remove()
        } catch {
            Console.complain(FailureTranslation.end(for: error))
        }
    }
}

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
        return [
            Environment.Key(stringLiteral: string): address.connectionString(.developmentFull),
            Environment.Key(stringLiteral: string + "_FILE"): nil,
            Environment.Key(stringLiteral: string + "_COMMAND"): nil,
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
