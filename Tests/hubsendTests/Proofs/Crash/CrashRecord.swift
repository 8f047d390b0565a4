/// What happened to a campaign until it was finished.
struct CrashRecord: Sendable {
    let campaign: CrashCampaign
    /// The rows of its report.
    var rows: [OutcomeRow] = []
    /// At how many kills a delivery was claimed and had no outcome, by target.
    var timesInDoubt: [String: Int] = [:]
    /// How far the run had come at each kill.
    var stages: [StoreRemains.Stage] = []

    /// Takes note of a kill.
    mutating func add(_ remains: StoreRemains) {
        stages.append(remains.stage)
        for target in remains.inDoubt { timesInDoubt[target, default: 0] += 1 }
    }
}
