import ArgumentParser
import CampaignCore
import Storage

struct PayloadRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Takes payloads back: no device can fetch them any more.",
        discussion: """
            A payload that a run's recipients share, and --run, take back all that the run sent, in every language, and \
            end a run that is not finished. Whoever's own payload is taken back before their push went out is skipped. It cannot be \
            undone, so a terminal is asked when it meets more than one person; the report shows it. An alert that was \
            sent shows at once and cannot be taken back.
            """)

    @Argument(
        help: ArgumentHelp(
            "Payloads, as `hubsend payload list` and reports name them.", valueName: "id"),
        transform: NotificationID.argument)
    var ids: [NotificationID] = []

    @Option(
        help: ArgumentHelp("All payloads of this run.", valueName: "run"),
        completion: .runIDs, transform: RunID.argument)
    var run: RunID?

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if ids.isEmpty == (run == nil) {
            throw ValidationError("Name payloads, or a run with --run.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        // Never makes a missing store.
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
