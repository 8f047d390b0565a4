import ArgumentParser
import CampaignCore
import Storage

struct PayloadRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes payloads, so that devices can no longer fetch them.",
        discussion: """
            Revoking a payload that a run's recipients share, or a whole run with --run, revokes everything that the \
            run sent, in every language, and ends the run if it is not finished. People whose own payload is revoked \
            before their push goes out are skipped. Revoking cannot be undone, so hubsend asks for confirmation on a \
            terminal if it affects more than one person. The report shows what was revoked. An alert that was \
            already sent cannot be taken back.
            """)

    @Argument(
        help: ArgumentHelp(
            "The ids of payloads, from `hubsend payload list` or a report.", valueName: "id"),
        transform: NotificationID.argument)
    var ids: [NotificationID] = []

    @Option(
        help: ArgumentHelp("Revoke all payloads of this run.", valueName: "run"),
        completion: .runIDs, transform: RunID.argument)
    var run: RunID?

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if ids.isEmpty == (run == nil) {
            throw ValidationError("Name one or more payloads, or a run with --run.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        // Opens the store, but never creates a missing one.
        let reader = try await settings.store.openForReading()
        let revocation = try await PayloadRevocation(of: ids, run: run, in: reader)
        if !yes { try await revocation.ask(in: reader, settings.invocation) }
        try reader.close()
        let store = try await settings.store.open()
        try await revocation.revoke(in: store) { sentence in
            if !options.quiet { try Console.say(sentence) }
        }
        try store.close()
    }
}
