/// How a delivery ended, or that it did not.
package enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
    case accepted
    case rejected
    case failed
    case unknown
    case skipped
    case notAttempted = "not_attempted"

    fileprivate var place: Int {
        switch self {
        case .accepted: 0
        case .rejected: 1
        case .failed: 2
        case .unknown: 3
        case .skipped: 4
        case .notAttempted: 5
        }
    }
}

package struct OutcomeCounts: Hashable, Sendable {
    /// Indexed by ``Outcome/number``; an array because every delivery is counted.
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)
    /// Part of the skipped: ``SkipReason/tooLate``.
    package var tooLate = 0
    /// Part of the skipped: ``SkipReason/expired``.
    package var expired = 0
    /// Part of the skipped: ``SkipReason/revoked``.
    package var revoked = 0

    package init(_ counts: [Outcome: Int] = [:]) {
        for (outcome, count) in counts { self[outcome] = count }
    }

    package subscript(outcome: Outcome) -> Int {
        get { counts[outcome.place] }
        set { counts[outcome.place] = newValue }
    }

    package mutating func add(_ other: OutcomeCounts) {
        for outcome in Outcome.allCases { self[outcome] += other[outcome] }
        tooLate += other.tooLate
        expired += other.expired
        revoked += other.revoked
    }

    /// Includes `not_attempted`.
    package var total: Int { counts.reduce(0, +) }

    /// Skipped because time ran out, not on purpose.
    package var late: Int { tooLate + expired }

    /// Outcomes that leave people (perhaps) unreached.
    package var left: [Outcome] {
        [.failed, .rejected, .unknown, .skipped, .notAttempted].filter {
            $0 == .skipped ? late + revoked > 0 : self[$0] > 0
        }
    }

    /// Deliveries that did not end as the campaign wanted.
    package var troubled: Int { self[.rejected] + self[.failed] + self[.unknown] + late }
}

/// Why a delivery was skipped; its stored detail begins with it.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
    case tooLate = "too late"
    case expired
    case capped
    case revoked
    /// The run repeats part of an earlier one without this delivery.
    case notAskedFor = "not asked for"
    case forgotten
    case fetched

    package func detail(_ text: String) -> String { "\(rawValue): \(text)" }
}

package struct Reach: Hashable, Sendable {
    /// People with a push accepted on any platform, with or without a device.
    package var accepted: Int
    package var fetched: Int
    package var read: Int

    package init(accepted: Int = 0, fetched: Int = 0, read: Int = 0) {
        self.accepted = accepted
        self.fetched = fetched
        self.read = read
    }
}
