import ArgumentParser
import CampaignCore
import CampaignOperations
import Delivery

/// Which sending `hubsend preview` shows, and what it does beside showing: `--save` and `--reach`.
struct PreviewPlanOptions: ParsableArguments {
    @Flag(help: "As for run: what sending the campaign once more would do.")
    var again = false

    @Option(
        help: ArgumentHelp(
            "With --again: only to those whose deliveries in the last finished run ended so.",
            valueName: "outcomes"),
        transform: OutcomesArgument.read)
    var only: Set<Outcome>?

    @Option(
        help: ArgumentHelp(
            "As for run: which sending it is, such as a date.", valueName: "key"),
        transform: Occurrence.argument)
    var occurrence: Occurrence?

    @Option(
        help: ArgumentHelp(
            "Write a plan: with `hubsend run --plan`, exactly this is sent or nothing. It holds digests and counts, no names.",
            valueName: "file"))
    var save: String?

    @Option(
        help: ArgumentHelp(
            "With --save: how long the plan is good, such as 12h or 7d.", valueName: "duration"),
        transform: DurationArgument.read)
    var maxAge: Duration?

    @Option(
        defaultAsFlag: ReachInquiry.Extent.sample,
        help: ArgumentHelp(
            "Ask the hub how many people have a device on each platform: of a sample of 200, or of all, at the campaign's rate. Needs the hub's credentials.",
            valueName: "sample|all"))
    var reach: ReachInquiry.Extent?

    func validate() throws {
        if maxAge != nil, save == nil {
            throw ValidationError("--max-age goes with --save: it says how long the plan is good.")
        }
        if only != nil, !again {
            throw ValidationError(
                "--only goes with --again: it sends once more, to those whom the last run left.")
        }
        if again, occurrence != nil {
            throw ValidationError("Only one of --again and --occurrence can be given.")
        }
    }

    /// Which sending it is, when it is no rehearsal.
    var mode: RunRequest.Mode {
        if again { return only.map { .rest($0) } ?? .again }
        return .occurrence(occurrence ?? .once)
    }

    /// Whether it is said which sending is meant.
    var choosesSending: Bool { again || occurrence != nil }

    /// What is to be saved; nil: nothing.
    var saving: PlanSaving? {
        save.map {
            PlanSaving(
                path: $0, longestAge: maxAge ?? SavedPlan.standardAge, version: Hubsend.version)
        }
    }
}

extension ReachInquiry.Extent: ExpressibleByArgument {}
