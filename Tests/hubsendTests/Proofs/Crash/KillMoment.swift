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
    /// The writes of staging lie close together at the beginning, so until it is over only they are drawn; later small
    /// numbers of writes are drawn as often as large ones, since a run's first ones mean something else each.
    ///
    /// - Parameters:
    ///   - stages: how far the campaign's runs had come at the kills before.
    ///   - generator: where chance comes from.
    /// - Returns: the moment.
    static func random(
        after stages: [StoreRemains.Stage], using generator: inout some RandomNumberGenerator
    ) -> KillMoment {
        guard let last = stages.last, last != .nothing, last != .staging else {
            return .write(Int.random(in: 1...12, using: &generator))
        }
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...1 where stages.count > 5:
            return .report(Int.random(in: 1...3, using: &generator))
        case 0..<6:
            return .request(Int.random(in: 1...100, using: &generator))
        default:
            let most = 1 << Int.random(in: 1...6, using: &generator)
            return .write(Int.random(in: 1...most, using: &generator))
        }
    }
}
