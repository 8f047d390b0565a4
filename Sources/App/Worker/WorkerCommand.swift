import ArgumentParser
import CampaignCore
import HTTPServing
import ProcessControl

struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Takes part in the runs of a store on a server until it is stopped.",
        discussion: """
            Waits for runs that `hubsend run` starts on any host, and helps to send them. It needs the hub, the store \
            and the payload key, but no campaigns or audiences: see hubsend-worker(8). Ctrl-C and SIGTERM stop it \
            after the pushes in flight; everything is saved, other workers continue, and the exit code is 0.
            """)

    @Option(
        help: ArgumentHelp(
            "Serve /health and /metrics on this address, without TLS; port 0 picks a free port. By default, they are not served.",
            valueName: "host:port"), transform: HostAndPort.argument)
    var listen: HostAndPort?

    @Flag(help: "Print one JSON line when ready.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let logger = options.logger()
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let worker = try WorkerService(settings, logger: logger)
        try await worker.hub.connect(logger: logger) { connection in
            try await SignalWatch.serve { fail in
                func work(_ url: String?) async throws {
                    let announcement = WorkerAnnouncement(url, at: connection.identity)
                    try await worker.work(
                        at: connection,
                        onReady: {
                            try announce(announcement)
                        }, onReplaced: fail)
                }
                guard let listen else { return try await work(nil) }
                try await StatusServer(
                    host: listen.host, port: listen.port,
                    pages: { Self.page($0, of: worker.figures) }, logger: logger
                ).serve(during: work)
            }
        }
    }

    private func announce(_ announcement: WorkerAnnouncement) throws {
        if json { return try Console.output(announcement.json()) }
        if !options.quiet { try Console.output(announcement.text) }
    }

    private static func page(_ path: String, of figures: WorkerFigures) -> StatusServer.Page? {
        switch path {
        case "/health":
            let health = figures.health
            return StatusServer.Page(health.text, isGood: health.isHealthy)
        case "/metrics":
            return StatusServer.Page(
                figures.metrics, contentType: "text/plain; version=0.0.4; charset=utf-8")
        default: return nil
        }
    }
}
