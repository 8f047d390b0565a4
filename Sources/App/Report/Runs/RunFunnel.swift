import CampaignCore

/// How many people each step of a run reached, from named to read.
struct RunFunnel {
    struct Step {
        let name: String
        let count: Int
        /// Share of the step before; empty for the first step, after 0 people, or above the whole.
        let share: String
        let note: String
    }

    let steps: [Step]

    init(_ details: RunDetails) {
        let run = details.overview.run
        let reach = details.overview.reach ?? Reach()
        let left = [(run.counts.duplicate, "repeated"), (run.counts.excluded, "excluded")]
            .filter { $0.0 > 0 }.map { "\(Figures.count($0.0)) \($0.1)" }
        var counts = [
            (
                "named", run.counts.named,
                left.isEmpty ? "in the audience" : left.joined(separator: ", ")
            ),
            (
                "sent", details.tried,
                details.tried == run.recipients
                    ? "everybody whom the run is for"
                    : "of \(Figures.count(run.recipients)) whom the run is for"
            ),
            ("accepted", reach.accepted, "the hub took it; no proof of arrival"),
        ]
        // An alert has nothing to fetch, and nobody reports reading it.
        if run.kind.isSilent {
            counts.append(("fetched", reach.fetched, "their app fetched the payload"))
            counts.append(("read", reach.read, "their app says so"))
        }
        var steps: [Step] = []
        for (name, count, note) in counts {
            // A person with a lost answer may have fetched, without being part of the step before.
            let share = steps.last.flatMap { previous in
                previous.count > 0 && count <= previous.count
                    ? "\(Figures.share(count, of: previous.count)) of \(previous.name)" : nil
            }
            steps.append(Step(name: name, count: count, share: share ?? "", note: note))
        }
        self.steps = steps
    }
}
