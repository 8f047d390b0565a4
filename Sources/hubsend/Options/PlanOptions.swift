import ArgumentParser
import CampaignCore
import CampaignOperations

/// `--save` and `--reach` of `hubsend preview`.
struct PreviewPlanOptions: ParsableArguments {
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
    }

    /// What is to be saved; nil: nothing.
    var saving: PlanSaving? {
        save.map {
            PlanSaving(
                path: $0, longestAge: maxAge ?? SavedPlan.standardAge, version: Hubsend.version)
        }
    }
}

extension ReachInquiry.Extent: ExpressibleByArgument {}
