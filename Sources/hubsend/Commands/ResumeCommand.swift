import ArgumentParser
import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Storage

/// `hubsend resume`.
struct ResumeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Continues a run that was stopped or interrupted.",
        discussion: """
            Audience and payloads are those the run was staged with. Of the campaign file only `delivery` is read \
            again; when the file is gone, the run's own is used.
            """)

    @Argument(help: "The run's id, as `hubsend runs` lists it.")
    var run: RunID

    @Flag(help: "Print one JSON object on stdout.")
    var json = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try Settings.load(options, campaigns: [])
        let logger = options.logger()
        let reader = try SQLiteStore.openForReading(at: settings.store)
        let found = try await reader.run(run)
        try reader.close()
        guard let record = found else { throw RunError.noSuchRun(run) }
        let output = RunOutput(settings: settings, isJSON: json, isQuiet: options.quiet)
        let status = try await settings.requiredHub().connect(logger: logger) { connection in
            if !yes {
                try connection.askForConsent(
                    to: [
                        "\(record.campaign): continue run \(record.id), \(record.deliveries) pushes in all"
                    ],
                    invocation: settings.invocation)
            }
            let store = try SQLiteStore.open(at: settings.store)
            let session = RunSession(
                store: store, connection: connection, settings: settings, output: output,
                logger: logger)
            let status = try await session.resume(record, delivery: policy(of: record, settings))
            try store.close()
            return status
        }
        try CommandEnd.exit(status)
    }

    /// The policy as the campaign file has it now; nil when the file is gone or is no longer good.
    private func policy(of record: RunRecord, _ settings: Settings) -> DeliveryPolicy? {
        guard FileManager.default.fileExists(atPath: record.campaignPath) else { return nil }
        do {
            let loaded = try CampaignFile.read(record.campaignPath, scope: settings.scope)
            if let campaign = loaded.campaign, campaign.name == record.campaign {
                return campaign.delivery
            }
        } catch {
            Console.complain(
                "hubsend: warning: \(error) The run goes on with the delivery settings it has.")
            return nil
        }
        Console.complain(
            "hubsend: warning: \(record.campaignPath) is not good any more; the run goes on with the delivery settings it has."
        )
        return nil
    }
}
