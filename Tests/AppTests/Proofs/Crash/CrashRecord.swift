/// What happened to a campaign before it was finished.
struct CrashRecord: Sendable {
    let campaign: CrashCampaign
    var rows: [OutcomeRow] = []
    /// For each target, the number of kills at which its delivery was claimed but had no outcome.
    var timesInDoubt: [String: Int] = [:]
    /// The run's stage at each kill.
    var stages: [StoreRemains.Stage] = []

    mutating func add(_ remains: StoreRemains) {
        stages.append(remains.stage)
        for target in remains.inDoubt { timesInDoubt[target, default: 0] += 1 }
    }
}
