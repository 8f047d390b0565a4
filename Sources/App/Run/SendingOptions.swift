import ArgumentParser
import CampaignCore
import Delivery

/// Which sending of a campaign `hubsend run` does and `hubsend preview` shows.
struct SendingOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "A rehearsal to these members of the audience or testers; no occurrence of the campaign, in no statistics.",
            valueName: "user"),
        transform: Username.argument)
    var to: [Username] = []

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "With --to: the values of this member of the audience for everybody of the rehearsal.",
            valueName: "user"),
        transform: Username.argument)
    var model: Username?

    @Flag(help: "Once more, although the campaign was sent before.")
    var again = false

    @Option(
        help: ArgumentHelp(
            "With --again: only to those whose deliveries in the last finished run ended so, such as failed,rejected,unknown.",
            valueName: "outcomes"),
        transform: OutcomeChoice.read)
    var only: Set<Outcome>?

    @Option(
        help: ArgumentHelp(
            "Which sending this is, such as a date; each key is sent once.", valueName: "key"),
        transform: Occurrence.argument)
    var occurrence: Occurrence?

    func validate() throws {
        guard [again, occurrence != nil, !to.isEmpty].count(where: { $0 }) <= 1 else {
            throw ValidationError("Only one of --to, --again and --occurrence can be given.")
        }
        if only != nil, !again {
            throw ValidationError(
                "--only goes with --again: it sends once more, to those whom the last run left.")
        }
        if model != nil, to.isEmpty {
            throw ValidationError("--as goes with --to: it says whose values a rehearsal has.")
        }
    }

    var mode: RunRequest.Mode {
        if !to.isEmpty { return .rehearsal }
        if again { return only.map { .rest($0) } ?? .again }
        return .occurrence(occurrence ?? .once)
    }

    /// The first of these options that is given.
    var given: String? {
        if !to.isEmpty { return "--to" }
        if again { return "--again" }
        return occurrence.map { _ in "--occurrence" }
    }

    /// Says that no campaign was named: `--to` may have taken it.
    func noCampaign(_ advice: String) -> ValidationError {
        ValidationError(
            to.isEmpty
                ? advice
                : "Name the campaign file before --to, which takes all that follows it as usernames."
        )
    }

    func rehearsal(_ settings: EffectiveSettings) -> Rehearsal? {
        to.isEmpty ? nil : Rehearsal(people: to, testers: settings.testers, model: model)
    }
}

extension ArgumentHelp {
    /// The help of `--wait`, which several commands have.
    static var wait: ArgumentHelp {
        ArgumentHelp(
            "Where another process works on the campaign, wait for it this long, such as 5m, instead of ending with 75.",
            valueName: "duration")
    }
}
