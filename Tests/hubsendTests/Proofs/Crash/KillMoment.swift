/// When a run is killed: at an event, so that a machine's speed does not matter.
enum KillMoment: Sendable {
    /// Right after so many changes of files in the store's folder.
    case write(Int)
    /// When the hub has so many requests, before the last of them takes effect.
    case request(Int)
    /// Right after so many changes in the folder for reports: everybody has an outcome then.
    case report(Int)

    /// How many kills are aimed at the staging of a run.
    private static let aims = 4

    /// Draws the moment of a campaign's next kill.
    ///
    /// The writes of staging lie close together, the fifth to the seventh of a run in a store that is there, so the first kills
    /// walk towards them, and each finds the run a little further. Behind it there are kills at requests and at a write, where
    /// small numbers are drawn as often as large ones, since a run's first writes mean something else each; and the last
    /// is aimed at the report.
    ///
    /// - Parameters:
    ///   - stages: how far the campaign's runs had come at the kills before.
    ///   - aimsAtStaging: whether the first kills do.
    ///   - generator: where chance comes from.
    /// - Returns: the moment; nil when the campaign was killed at each kind of them.
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
