import AppBackend
import ArgumentParser
import CampaignCore

struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Permanently deletes everything that the store has about a person.",
        discussion: """
            Deletes the person's name from every run, the payloads rendered only for them, and their registrations \
            in the store and at the hub. Pending pushes to them are cancelled. Totals are kept, and outcomes are \
            kept without a name. A keyed hash of the name excludes them from later runs. Reports in the reports \
            folder and the audit log are rewritten without them. The command lists files that still contain the \
            name, asks for confirmation on a terminal, and can be repeated.
            """)

    @Argument(help: "The person's username.", transform: Username.argument)
    var user: Username

    @Flag(help: "Do not delete the registrations at the hub.")
    var local = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let hub = local ? nil : try settings.requiredHub()
        let removal = PersonRemoval(of: user, settings)
        let known = try await removal.registrations()
        if !yes { try await removal.ask(isLocal: local) }
        let atHub: Int? = if let hub { try await deleted(known, at: hub) } else { nil }
        let result = try await removal.run(atHub: atHub) {
            try AuditRemoval.forget(user, in: $0)
        }
        if !options.quiet {
            for sentence in result.sentences { try Console.say(sentence) }
        }
        if let error = result.error { throw error }
    }

    private func deleted(_ known: [String], at hub: HubChoice) async throws -> Int {
        let logger = options.logger()
        return try await hub.connect(logger: logger) { connection in
            try await HubRegistrations.delete(
                of: user, known: known, at: connection, logger: logger)
        }
    }
}
