import CampaignCore
import CampaignFormat
import Delivery

/// A campaign that was checked and can be sent.
struct PreparedRun: Sendable {
    let request: RunRequest
    /// The run that is there already, of the same occurrence.
    let standing: RunRecord?
    /// The unfinished run because of which nothing is sent once more; nil as a rule.
    let obstacle: RunRecord?
    /// The audience; nil when the standing run has one, and when nothing will be sent.
    var planned: PlannedAudience?
    /// What was found that keeps nothing from being sent.
    var warnings: [Diagnostic] = []

    /// Whether there is anything to send.
    var isPending: Bool {
        ![.finished, .stopped].contains(standing?.state) && obstacle == nil && emptyRest == nil
    }

    /// The earlier run of whose rest nobody is left, so that there is nothing to do; nil as a rule.
    var emptyRest: RestOfRun? {
        guard let planned, planned.plan.counts.final == 0 else { return nil }
        return planned.rest
    }

    /// What would happen, for a person who is asked.
    var sentence: String {
        let name = request.campaign.name
        guard let planned else {
            let run = standing.map { "run \($0.id)" } ?? "a run"
            return "\(name): continue \(run)\(warningsText)"
        }
        let plan = planned.plan
        let people = Figures.count(plan.counts.final, "person", "people")
        let pushes = Figures.count(plan.deliveries, "push", "pushes")
        return "\(name): \(people), \(pushes)\(warningsText)"
    }

    private var warningsText: String {
        warnings.isEmpty ? "" : ", " + Figures.count(warnings.count, "warning", "warnings")
    }
}
