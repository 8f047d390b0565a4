import CampaignCore

/// How many people each step of a run reached, from listed to read.
struct RunFunnel {
    struct Step {
        let name: String
        let count: Int
        /// The share of the previous step; empty for the first step, or if the share would exceed
        /// 100%.
        let share: String
        let note: String
    }

    let steps: [Step]

    init(_ details: RunDetails) {
        let run = details.overview.run
        let reach = details.overview.reach ?? Reach()
        let left = Self.leftOut(run.counts)
        var counts = [
            (
                "listed", run.counts.named,
                left.isEmpty ? "in the audience" : left.joined(separator: ", ")
            ),
            (
                "sent", details.tried,
                details.tried == run.recipients
                    ? "all recipients of this run"
                    : "of \(Figures.count(run.recipients)) recipients of this run"
            ),
            (
                "accepted", reach.accepted,
                "the hub accepted it; this does not prove arrival"
            ),
        ]
        // An alert has nothing to fetch, and apps do not report that it was read.
        if run.kind.isSilent {
            counts.append(("fetched", reach.fetched, "their app fetched the payload"))
            counts.append(("read", reach.read, "their app reported it"))
        }
        var steps: [Step] = []
        for (name, count, note) in counts {
            // If the hub's response was lost, a person may have fetched the payload without being
            // counted as accepted.
            let share = steps.last.flatMap { previous in
                previous.count > 0 && count <= previous.count
                    ? "\(Figures.share(count, of: previous.count)) of \(previous.name)" : nil
            }
            steps.append(Step(name: name, count: count, share: share ?? "", note: note))
        }
        self.steps = steps
    }

    /// Says how many duplicates and excluded people are not recipients, such as `1 duplicate`.
    static func leftOut(_ counts: AudienceCounts) -> [String] {
        var parts: [String] = []
        if counts.duplicate > 0 {
            parts.append(Figures.count(counts.duplicate, "duplicate", "duplicates"))
        }
        if counts.excluded > 0 { parts.append("\(Figures.count(counts.excluded)) excluded") }
        return parts
    }
}
