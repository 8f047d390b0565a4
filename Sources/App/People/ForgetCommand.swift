import AppBackend
import ArgumentParser
import CampaignCore

struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Deletes, for good, what the store has of a person.",
        discussion: """
            Their name goes from every run, and with it what was rendered for them alone and their registrations, here \
            and at the hub; what they have not been sent yet, they are not sent. Sums stay, and so do outcomes, of \
            nobody. A keyed hash of the name keeps them out of later runs. Reports in the reports folder and the audit are \
            written anew without them. It says which files still name them, asks on a terminal, and can be repeated.
            """)

    @Argument(help: "The person's username.", transform: Username.argument)
    var user: Username

    @Flag(help: "Leave the hub out.")
    var local = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
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
        if let fault = result.fault { throw fault }
    }

    private func deleted(_ known: [String], at hub: HubChoice) async throws -> Int {
        let logger = options.logger()
        return try await hub.connect(logger: logger) { connection in
            try await HubRegistrations.delete(
                of: user, known: known, at: connection, logger: logger)
        }
    }
}
