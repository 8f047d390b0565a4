import AppBackend
import ArgumentParser
import CampaignCore
import Foundation
import Storage

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Prints all that the store holds of a person, as JSON.",
        discussion: """
            Their registrations, and by run, newest first, what they were sent, what became of it, when they fetched \
            and read it, and the payload where it was rendered for them alone. Such payloads need the key that they \
            were stored with, and each leaves a line in the audit. What a run's recipients share is named by its id \
            only; of a device's address the store has no more than a digest, which is left out.
            """)

    @Argument(help: "The person's username.", transform: Username.argument)
    var user: Username

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading(settings.storeOptions())
        let logger = options.logger()
        var audit: AuditLog?
        try await DataExport(of: user, in: store).write(
            at: Date(),
            shown: { id in
                let log = try audit ?? AuditLog(path: settings.audit, logger: logger)
                audit = log
                try log.noteShown(id)
            },
            to: { try Console.output($0) })
        try store.close()
    }
}
