import ArgumentParser
import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Logging
import Storage

/// `hubsend resume`.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Continues a run that was stopped or interrupted.",
        discussion: """
            Audience and payloads are those the run was staged with. Of the campaign file only `delivery` is read \
            again; when the file is gone, the run's own is used. Of a campaign, its unfinished run is continued; where \
            it has several, name one.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        transform: RunReference.argument)
    var run: RunReference

    @Flag(help: "Print one JSON object on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try Settings.load(options, campaigns: [])
        try settings.refuseUnsupportedKeys()
        let logger = options.logger()
        let reader = try SQLiteStore.openForReading(at: settings.store)
        let record = try await run.unfinished(in: reader)
        try reader.close()
        let output = RunOutput(settings: settings, isJSON: json, isQuiet: options.quiet)
        let status = try await settings.requiredHub().connect(logger: logger) { connection in
            let result = try await SignalWatch.run(
                onProgressRequest: output.bar.report, onSignal: output.sayStopping
            ) {
                try await resume(record, at: connection, output: output, logger: logger)
            }
            return result.value.after(result.signal)
        }
        try CommandEnd.exit(status)
    }

    private func resume(
        _ record: RunRecord, at connection: HubConnection, output: RunOutput, logger: Logger
    ) async throws -> ExitStatus {
        let settings = output.settings
        guard record.hub == connection.identity else {
            throw RunError.otherHub(
                record.id, begun: record.hub, configured: connection.identity)
        }
        try settings.requireStorePlace(for: connection)
        if !yes, record.state != .finished {
            try await connection.askForConsent(
                to: [
                    "\(record.campaign): continue run \(record.id), \(Figures.count(record.deliveries, "push", "pushes")) in all"
                ],
                invocation: settings.invocation)
        }
        let store = try await settings.openStore(
            try await settings.storeOptions(clearing: output.bar))
        let execution = RunExecution(
            store: store, connection: connection, settings: settings, output: output,
            logger: logger)
        let status = try await execution.resume(record, campaign: campaign(of: record, settings))
        try store.close()
        return status
    }

    /// The campaign file as it is now; nil when it is gone or no longer good.
    ///
    /// - Throws: ``CommandFailure`` when it asks for something that nothing acts on yet.
    private func campaign(of record: RunRecord, _ settings: Settings) throws -> Campaign? {
        let path = record.campaignPath
        guard path != "-", FileManager.default.fileExists(atPath: path) else { return nil }
        do {
            let loaded = try CampaignFile.read(
                path, scope: settings.scope, limits: settings.limits)
            if let campaign = loaded.campaign, campaign.name == record.campaign {
                if let key = loaded.unsupportedKeys.first {
                    throw CommandFailure(.configuration, key.refusal(in: path))
                }
                return campaign
            }
        } catch let error as InputFileError {
            Console.complain("hubsend: warning: \(error)")
        }
        Console.complain(
            "hubsend: warning: \(path) is not good any more; the run goes on with the delivery settings it has."
        )
        return nil
    }
}
