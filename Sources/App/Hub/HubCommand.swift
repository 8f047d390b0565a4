import ArgumentParser
import CampaignCore
import LocalHub
import Logging
import ProcessControl

struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub", abstract: "Runs a local notification hub for development and tests.",
        discussion: """
            Implements the protocol of Azure notification hubs over HTTP and, on a second port, over TLS with \
            HTTP/2: all kinds of sends, registrations, installations, telemetry, scheduled sends and hub entities. \
            It checks signatures and the rules of the push services. Open its address in a browser to see everything \
            that was sent and what each device received; programs can get the same data as JSON below \
            http://127.0.0.1:PORT/.hubsend. Its keys are fixed and published, so its connection string never \
            changes. It therefore listens on this machine only, unless HUBSEND_LOCAL_HUB_KEYS sets other keys. \
            Everything is kept in memory, unless --state names a file. Press Ctrl-C to stop it.

            To simulate failures, pass --fault (repeatable) or a file of faults: --fault 'status: 500, share: 5%' \
            --fault 'status: 429, retry_after: 30, first: 10, last: 20' --fault 'drop: after, every: 100' --fault \
            'latency: 50ms, jitter: 20ms' --fault 'wrong_tokens: 1%'. See hubsend-hub(1).

            A secure or rich push does not contain its payload; the app fetches it. With --backend URL --user NAME, \
            the inbox can also fetch payloads on request. It signs in with the password in HUBSEND_DEVICE_PASSWORD \
            or the token in HUBSEND_DEVICE_TOKEN; both names also work with the suffix _FILE or _COMMAND.
            """, subcommands: [HubExecCommand.self])

    @Option(help: ArgumentHelp("The port for HTTP. Default: 0, a free port.", valueName: "number"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Listen on this address instead of 127.0.0.1. To allow connections from other machines, set your own keys.",
            valueName: "host:port"), transform: HostAndPort.argument)
    var listen: HostAndPort?

    @OptionGroup var content: LocalHubOptions

    @Option(help: ArgumentHelp("The hub's name.", valueName: "hub"))
    var name = "hubsend"

    @Option(
        help: ArgumentHelp(
            "The time from a send until its telemetry is final, such as 10s. Default: immediately.",
            valueName: "duration"), transform: DurationArgument.read)
    var telemetryDelay: Duration?

    @Option(
        help: ArgumentHelp(
            "The time from the response until a change to an installation takes effect. Default: immediately.",
            valueName: "duration"), transform: DurationArgument.read)
    var installationDelay: Duration?

    @Option(
        help: ArgumentHelp(
            "Save hubs, registrations, installations and scheduled sends in this file.",
            valueName: "file"), completion: .file())
    var state: String?

    @Option(
        help: ArgumentHelp(
            "The port for TLS. Default: 0, a free port.", valueName: "number"))
    var tlsPort: Int?

    @Option(
        help: ArgumentHelp(
            "A PEM certificate to use instead of a generated one for localhost; requires --tls-key.",
            valueName: "file"), completion: .file())
    var tlsCert: String?

    @Option(
        help: ArgumentHelp(
            "The PEM key of --tls-cert, in a file that only you can read.", valueName: "file"),
        completion: .file())
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "Write the certificate that TLS clients must trust to this file.",
            valueName: "file"), completion: .file())
    var caFile: String?

    @Option(
        name: .customLong("allow-host"), parsing: .singleValue,
        help: ArgumentHelp(
            "Also answer requests addressed to this host name, including those for the inbox; may be repeated.",
            valueName: "host"))
    var allowedHosts: [String] = []

    @Option(
        help: ArgumentHelp(
            "The address of the app backend, from which the inbox fetches payloads; requires --user.",
            valueName: "url"))
    var backend: String?

    @Option(
        help: ArgumentHelp(
            "The user whose payloads the inbox fetches; the hub signs in as `hubsend device` does.",
            valueName: "name"),
        transform: Username.argument)
    var user: Username?

    @Flag(help: "Print one JSON line when ready.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if port != nil, listen != nil {
            throw ValidationError("--port and --listen cannot be combined.")
        }
        if let port = listen?.port ?? port, port != 0, port == tlsPort {
            throw ValidationError(
                "--tls-port is the same as the port for HTTP; choose another port, or leave out --tls-port."
            )
        }
        if (tlsCert == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-cert and --tls-key must be used together; give both.")
        }
        if (backend == nil) != (user == nil) {
            throw ValidationError("--backend and --user must be used together; give both.")
        }
        if caFile != nil, tlsCert != nil {
            throw ValidationError(
                "--ca-file writes the certificate of the hub's own authority, which --tls-cert replaces; leave one of them out."
            )
        }
    }

    func run() async throws {
        let invocation = Invocation.current()
        let hub = try HubService(
            await configuration(invocation), authority: caFile,
            announcement: json ? .json : options.quiet ? .nothing : .text, invocation,
            logger: options.logger())
        try await hub.run()
    }

    private func configuration(_ invocation: Invocation) async throws -> LocalHubConfiguration {
        var configuration = try content.configuration(invocation)
        configuration.port = listen?.port ?? port ?? 0
        configuration.hubName = name
        try await configuration.listen(on: listen, invocation)
        try configuration.keepState(in: state, invocation)
        configuration.tls = LocalHubTLS(
            port: tlsPort ?? 0, identity: try HubCertificate.identity(tlsCert, tlsKey, invocation))
        configuration.allowedHosts = allowedHosts
        configuration.installationDelay = installationDelay ?? .zero
        configuration.telemetryDelay = telemetryDelay ?? .zero
        if let backend, let user {
            configuration.payloads = try await PayloadBackend(
                at: backend, of: user, invocation)
        }
        return configuration
    }
}

struct HubService: Sendable {
    enum Announcement: Sendable {
        case nothing
        case json
        /// The hub's addresses, and the settings for programs.
        case text
    }

    private let configuration: LocalHubConfiguration
    private let authorityPath: String?
    private let authorityFile: AuthorityFile?
    private let announcement: Announcement
    private let logger: Logger

    /// Creates the service without listening; `authority` is the path from `--ca-file`.
    init(
        _ configuration: LocalHubConfiguration, authority: String?, announcement: Announcement,
        _ invocation: Invocation, logger: Logger
    ) throws {
        self.configuration = configuration
        authorityPath = authority
        authorityFile = try authority.map { path in
            try AuthorityFile(path: invocation.file(path, of: "--ca-file"))
        }
        self.announcement = announcement
        self.logger = logger
    }

    func run() async throws {
        try await SignalWatch.serve { fail in
            let server = try LocalHubServer(configuration: configuration, logger: logger) {
                address in
                do {
                    if let certificate = address.authorityPEM {
                        try authorityFile?.write(certificate)
                    }
                    try announce(address)
                } catch {
                    fail(error)
                }
            }
            try await server.run()
        }
    }

    private func announce(_ address: LocalHubAddress) throws {
        let usesOwnKeys = configuration.usesOwnKeys
        switch announcement {
        case .nothing: return
        case .json:
            try Console.output(HubReadyLine.object(address, usesOwnKeys: usesOwnKeys).line())
        case .text:
            let text = HubAnnouncement(
                address,
                ownKeysSetting: usesOwnKeys ? LocalHubConfiguration.keysVariable : nil,
                authorityFile: authorityPath.map { VisibleText.escape($0) }
            ).text
            try Console.output(text)
        }
    }
}
