import ArgumentParser
import LocalHub
import Logging
import ServiceLifecycle
import UnixSignals

/// `hubsend hub`.
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub", abstract: "Runs a local notification hub to try things against.",
        discussion: """
            It listens on this machine only, checks signatures as the real one does, and keeps what each device \
            received: curl http://127.0.0.1:PORT/.hubsend/devices/USER shows it. Its keys are fixed and published, so \
            that its connection string can be written into a config once. Ctrl-C ends it.
            """)

    @Option(help: ArgumentHelp("The port; 0 takes a free one.", valueName: "number"))
    var port = 0

    @Option(
        help: ArgumentHelp("A devices file: whom the hub knows from its start.", valueName: "file"))
    var devices: String?

    @Option(help: ArgumentHelp("The hub's name.", valueName: "hub"))
    var name = "hubsend"

    @Flag(help: "Print one JSON line when ready.")
    var json = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let logger = options.logger()
        var configuration = LocalHubConfiguration()
        configuration.port = port
        configuration.hubName = name
        if let devices {
            configuration.devices = try LocalDevices.read(Invocation.current().absolute(devices))
        }
        let (writeFailures, failure) = AsyncStream.makeStream(of: (any Error).self)
        let server = try LocalHubServer(configuration: configuration, logger: logger) { address in
            do {
                try Console.output(announcement(address))
            } catch {
                failure.yield(error)
            }
            failure.finish()
        }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask { for await error in writeFailures { throw error } }
            // Not `waitForAll`: a hub that cannot listen must not wait for its announcement.
            while try await tasks.next() != nil {}
        }
    }

    private func announcement(_ address: LocalHubAddress) throws -> String {
        let connectionString = address.connectionString(.developmentFull)
        if json { return try HubReadyLine(address, connectionString).line() }
        return """
            The local hub \(address.hubName) listens on \(address.httpURL). Ctrl-C ends it.

              export HUBSEND_HUB_CONNECTION_STRING='\(connectionString)'
              export HUBSEND_HUB_NAME='\(address.hubName)'

            What a user's devices received: curl \(address.httpURL)/.hubsend/devices/USER

            """
    }
}
