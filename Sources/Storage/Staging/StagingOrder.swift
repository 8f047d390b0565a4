import CampaignCore

/// Numbers a run's recipients, and checks that names are in order within each wave.
struct StagingOrder {
    private let run: RunID
    /// The numbers at which the alphabetical order restarts.
    private let firsts: Set<Int>
    private let highest: Int?
    private var number: Int
    private var previous: Username?

    /// `last` is the last recipient that was written; `waves` contains the number of recipients in
    /// each wave.
    init(
        of run: RunID, after last: (number: Int, name: Username)?, waves: [ClosedRange<Int>]
    ) {
        self.run = run
        firsts = Set(waves.map(\.lowerBound))
        highest = waves.last?.upperBound
        number = last?.number ?? 0
        previous = last?.name
    }

    mutating func next(_ username: Username) throws(StoreError) -> Int {
        number += 1
        if let previous, username <= previous, !firsts.contains(number) { throw .unordered(run) }
        if let highest, number > highest { throw .unordered(run) }
        previous = username
        return number
    }

    /// Checks that the waves follow one another without a gap.
    static func check(_ waves: [RunWave], of run: RunID) throws(StoreError) {
        var last = 0
        for (index, wave) in waves.enumerated() {
            guard wave.number == index + 1, wave.recipients.lowerBound == last + 1 else {
                throw .unordered(run)
            }
            last = wave.recipients.upperBound
        }
    }
}
