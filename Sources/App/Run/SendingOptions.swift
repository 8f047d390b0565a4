import ArgumentParser
import CampaignCore
import Delivery

/// The options that determine what `hubsend run` sends and `hubsend preview` shows.
struct SendingOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Send a rehearsal to these audience members or testers. It does not count as a sending of the campaign.",
            valueName: "user"),
        transform: Username.argument)
    var to: [Username] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "With --to, use this audience member's values for everybody in the rehearsal.",
            valueName: "user"),
        transform: Username.argument)
    var model: Username?

    @Flag(help: "Send the campaign again, even if it was already sent.")
    var again = false

    @Option(
        help: ArgumentHelp(
            "With --again, send only to people whose deliveries in the last finished run had these outcomes, such as failed,rejected,unknown.",
            valueName: "outcomes"),
        transform: OutcomeChoice.read)
    var only: Set<Outcome>?

    @Option(
        help: ArgumentHelp(
            "The key of this sending, such as a date; each key is sent once.", valueName: "key"),
        transform: Occurrence.argument)
    var occurrence: Occurrence?

    func validate() throws {
        guard [again, occurrence != nil, !to.isEmpty].count(where: { $0 }) <= 1 else {
            throw ValidationError("Only one of --to, --again and --occurrence can be given.")
        }
        if only != nil, !again {
            throw ValidationError(
                "--only can only be used with --again.")
        }
        if model != nil, to.isEmpty {
            throw ValidationError("--as can only be used with --to.")
        }
    }

    var mode: RunRequest.Mode {
        if !to.isEmpty { return .rehearsal }
        if again { return only.map { .followUp($0) } ?? .again }
        return .occurrence(occurrence ?? .once)
    }

    /// The first of the sending options that was given.
    var given: String? {
        if !to.isEmpty { return "--to" }
        if again { return "--again" }
        return occurrence.map { _ in "--occurrence" }
    }

    /// The error for a missing campaign, which may have been read as an argument of `--to`.
    func noCampaign(_ advice: String) -> ValidationError {
        ValidationError(
            to.isEmpty
                ? advice
                : "Put the campaign file before --to: everything after it is read as a username."
        )
    }

    func rehearsal(_ settings: EffectiveSettings) -> Rehearsal? {
        to.isEmpty ? nil : Rehearsal(people: to, testers: settings.testers, model: model)
    }
}

extension ArgumentHelp {
    /// The help for `--wait`, which several commands have.
    static var wait: ArgumentHelp {
        ArgumentHelp(
            "If another process is working on the campaign, wait for it this long, such as 5m, instead of exiting with 75.",
            valueName: "duration")
    }
}
