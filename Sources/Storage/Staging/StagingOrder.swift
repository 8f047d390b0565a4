package import CampaignCore

/// Numbers a run's recipients as they are written down, and makes sure that they come in name order, in each wave anew.
package struct StagingOrder {
    private let run: RunID
    /// The numbers with which names begin anew.
    private let firsts: Set<Int>
    /// The highest number that there may be; nil: any.
    private let highest: Int?
    private var number: Int
    private var previous: Username?

    /// - Parameters:
    ///   - run: named by the errors.
    ///   - last: who was written down last; nil: nobody yet.
    ///   - waves: the recipients of each of its waves; empty where it has none.
    package init(
        of run: RunID, after last: (number: Int, name: Username)?, waves: [ClosedRange<Int>]
    ) {
        self.run = run
        firsts = Set(waves.map(\.lowerBound))
        highest = waves.last?.upperBound
        number = last?.number ?? 0
        previous = last?.name
    }

    /// The number of the next one.
    ///
    /// - Throws: ``StoreError/unordered(_:)`` when they have no place behind those before.
    package mutating func next(_ username: Username) throws(StoreError) -> Int {
        number += 1
        if let previous, username <= previous, !firsts.contains(number) { throw .unordered(run) }
        if let highest, number > highest { throw .unordered(run) }
        previous = username
        return number
    }

    /// Makes sure that waves follow each other without a gap.
    ///
    /// - Throws: ``StoreError/unordered(_:)``.
    package static func check(_ waves: [RunWave], of run: RunID) throws(StoreError) {
        var last = 0
        for (index, wave) in waves.enumerated() {
            guard wave.number == index + 1, wave.recipients.lowerBound == last + 1 else {
                throw .unordered(run)
            }
            last = wave.recipients.upperBound
        }
    }
}
