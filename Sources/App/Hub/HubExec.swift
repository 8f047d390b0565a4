import LocalHub
import Logging
import ProcessControl

struct HubExec: Sendable {
    /// Used for temporary folders when `TMPDIR` is not set.
    private static let standardFolder = "/tmp"
    private static let folderPrefix = "hubsend-exec-"

    private let program: Program
    private let configuration: LocalHubConfiguration
    private let invocation: Invocation
    private let explain: @Sendable (any Error) -> String
    private let logger: Logger

    /// Finds the command; starts nothing yet.
    ///
    /// - Parameters:
    ///   - command: its name and its arguments, at least one.
    ///   - configuration: the hub; it gets a second port for TLS.
    ///   - explain: explains errors that do not end the command.
    init(
        _ command: [String], at configuration: LocalHubConfiguration, _ invocation: Invocation,
        explain: @escaping @Sendable (any Error) -> String, logger: Logger
    ) throws {
        var configuration = configuration
        configuration.tls = LocalHubTLS()
        self.configuration = configuration
        self.invocation = invocation
        self.explain = explain
        self.logger = logger
        program = try Program(
            command, in: invocation.currentFolder, searching: invocation["PATH"])
    }

    /// Runs hub and command, and returns the command's exit code, or 128 plus the number of a
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
                Console.complain("hubsend: The hub did not end well: \(explain(error))")
            }
        }
    }

    /// Reports a folder that stays; the command's own exit code still counts.
    private func remove(_ folder: WorkFolder) {
        do {
            try folder.remove()
        } catch {
            Console.complain("hubsend: \(explain(error))")
        }
    }
}
