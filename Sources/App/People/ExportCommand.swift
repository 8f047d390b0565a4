import AppBackend
import ArgumentParser
import CampaignCore
import Foundation
import Storage

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints everything that the store has about a person, as JSON.",
        discussion: """
            Prints the person's registrations and, for each run, newest first, what they were sent, its outcome, \
            when they fetched and read it, and the payload if it was rendered only for them. Such payloads need the \
            key that they were stored with, and each one that is printed adds a line to the audit log. For a payload \
            that all recipients of a run share, only the id is printed. The store has only hashes of device handles, \
            which are not printed.
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
