import AppBackend
import ArgumentParser
import CampaignCore
import CampaignFormat
import Files
import Foundation
import Logging
import NotificationHubs
import ProcessControl
import Storage

struct ServeCommand: AsyncParsableCommand {
    /// The number of concurrent requests to the hub, for registrations and for pushes by users who
    /// may send.
    private static let hubConcurrency = 16
    /// The number of open files reserved for the store, connections to the hub, the audit log, and
    /// files that are read again.
    private static let reservedFiles = 256

    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the app backend, where devices register and fetch payloads.",
        discussion: """
            Uses the same store as `hubsend run`; both can run at the same time. Under `backend:` in the config, set \
            who may sign in (by password or by token), which tags devices may request, TLS and proxies: see \
            hubsend-serve(8). Press Ctrl-C to stop it; requests in flight are answered first.
            """)

    @Option(
        help: ArgumentHelp(
            "The address to listen on; port 0 picks a free port. Default: `backend.listen` of the config, or 127.0.0.1:8080.",
            valueName: "host:port"), transform: HostAndPort.argument)
    var listen: HostAndPort?

    @Option(
        help: ArgumentHelp(
            "The password file, in htpasswd format. Default: `backend.users` of the config.",
            valueName: "file"), completion: .file())
    var users: String?

    @Flag(help: "Print one JSON line when ready.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let logger = options.logger()
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let backend = backend(settings)
        let address = try listen ?? settings.backendAddress()
        let hub = try settings.requiredHub()
        guard case .remote = hub else {
            throw Refused(
                """
                The config's hub (`hub.local`) exists only inside one command, so devices cannot register with it. Start `hubsend hub`, and set the two variables that it prints, here and for `hubsend run`.
                """)
        }
        Self.warn(settings)
        // Check the settings first, so that a mistake does not create a store.
        let documents = WebDocuments(userAgent: Hubsend.userAgent)
        let quiet = Logger(label: "check") { _ in SwiftLogNoOpLogHandler() }
        _ = try await Authenticator(settings: backend, documents: documents, logger: quiet)
        var limits = BackendLimits()
        limits.connections = try OpenFiles.connections(
            atMost: limits.connections, reserve: Self.reservedFiles)
        try await hub.connect(logger: logger) { connection in
            let store = try await settings.store.open(settings.storeOptions())
            try await store.checkPayloadKey()
            try await connection.withClient(concurrency: Self.hubConcurrency, logger: logger) {
                client in
                try await SignalWatch.serve { [limits] fail in
                    let server = try await BackendServer(
                        settings: backend, host: address.host, port: address.port, store: store,
                        registrar: HubDeviceRegistrar(client: client),
                        sender: HubPushSender(client: client), hub: connection.identity,
                        audit: try AuditLog(path: settings.audit, logger: logger),
                        documents: documents, limits: limits, logger: logger
                    ) { url in
                        do {
                            try announce(url, settings)
                        } catch {
                            fail(error)
                        }
                    }
                    // Ends the server when its store is replaced, because it could not serve
                    // requests any more; a service manager restarts it.
                    async let _ = store.watchPlace(onReplaced: fail)
                    try await server.run()
                }
            }
            try store.close()
        }
    }

    private static func warn(_ settings: EffectiveSettings) {
        guard !settings.configWarnings.isEmpty else { return }
        Console.notice(
            TextDiagnosticRenderer(width: Console.errorColumns).render(
                settings.configWarnings.sorted()))
    }

    private func backend(_ settings: EffectiveSettings) -> BackendSettings {
        var backend = settings.backend
        if let users { backend.users = settings.invocation.absolute(users) }
        return backend
    }

    private func announce(_ url: String, _ settings: EffectiveSettings) throws {
        let keyFile = settings.payloadKeyFile
        if settings.payloadKeySecret == nil, !options.quiet,
            FileManager.default.fileExists(atPath: keyFile)
        {
            Console.complain("hubsend: warning: \(EffectiveSettings.keyFileSentence(keyFile))")
        }
        let announcement = BackendAnnouncement(
            url, store: settings.store.file ?? "\(settings.store)", audit: settings.audit)
        if json { return try Console.output(announcement.json()) }
        if !options.quiet { try Console.output(announcement.text) }
    }
}
