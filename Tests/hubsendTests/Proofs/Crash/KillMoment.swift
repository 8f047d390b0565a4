/// When a run is killed: at an event, so that a machine's speed does not matter.
enum KillMoment: Sendable {
    /// Right after so many changes of files in the store's folder.
    case write(Int)
    /// When the hub has so many requests, before the last of them takes effect.
    case request(Int)
    /// Right after so many changes in the folder for reports: everybody has an outcome then.
    case report(Int)

    /// Draws a moment.
    ///
    /// The writes of staging lie close together at the beginning, so up to three kills are aimed at them; the ninth is aimed at
    /// the report. In between, small numbers of writes are drawn as often as large ones, since a run's first writes mean
    /// something else each.
    ///
    /// - Parameters:
    ///   - stages: how far the campaign's runs had come at the kills before.
    ///   - generator: where chance comes from.
    /// - Returns: the moment.
    static func random(
        after stages: [StoreRemains.Stage], using generator: inout some RandomNumberGenerator
    ) -> KillMoment {
        let isStaged = stages.contains { $0 != .nothing && $0 != .staging }
        if !isStaged, stages.count < 3 { return .write(Int.random(in: 1...12, using: &generator)) }
        if stages.count == 8 { return .report(1) }
        if Bool.random(using: &generator) {
            return .request(Int.random(in: 1...100, using: &generator))
        }
        let most = 1 << Int.random(in: 1...6, using: &generator)
        return .write(Int.random(in: 1...most, using: &generator))
    }
}
