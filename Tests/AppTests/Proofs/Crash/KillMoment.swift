/// The event at which a run is killed, so that the machine's speed does not matter.
enum KillMoment: Sendable {
    /// After a number of file changes in the store's folder.
    case write(Int)
    /// After a number of requests to the hub, before the last one takes effect.
    case request(Int)
    /// After a number of changes in the reports folder, when everybody has an outcome.
    case report(Int)

    /// The number of kills that are meant to occur during staging.
    private static let aims = 4

    /// Chooses the moment of a campaign's next kill at random; nil after all kinds of moments were
    /// chosen.
    ///
    /// Staging writes only a few times, from the fifth to the seventh write of a run in an existing
    /// store, so the first kills move through these writes step by step. After that, runs are
    /// killed at requests and at a write. Small numbers are as likely as large ones, because each
    /// of a run's first writes is different. The last kill is meant to occur while the report is
    /// written.
    ///
    /// - Parameter stages: the runs' stages at the earlier kills.
    static func next(
        after stages: [StoreRemains.Stage], aimsAtStaging: Bool,
        using generator: inout some RandomNumberGenerator
    ) -> KillMoment? {
        var behind = stages.count
        if aimsAtStaging {
            let past = stages.firstIndex { $0 != .nothing && $0 != .staging }
            if past == nil, stages.count < aims {
                let first = 1 + 2 * stages.count
                return .write(Int.random(in: first...(first + 3), using: &generator))
            }
            behind -= min(aims, past.map { $0 + 1 } ?? aims)
        }
        switch behind {
        case 0, 2: return .request(Int.random(in: 1...12, using: &generator))
        case 1:
            let most = 1 << Int.random(in: 1...5, using: &generator)
            return .write(Int.random(in: 1...most, using: &generator))
        case 3: return .report(1)
        default: return nil
        }
    }
}
