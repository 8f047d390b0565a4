/// What became of a delivery (contract, section 6).
package enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
    /// The hub took it: not proof of arrival.
    case accepted
    /// The hub refused it for good.
    case rejected
    /// Its tries or its time ran out while others succeeded.
    case failed
    /// It may have gone out, and the answer was lost.
    case unknown
    /// Left out on purpose during the run.
    case skipped
    /// No outcome yet.
    case notAttempted = "not_attempted"

    /// Its place among all cases, from 0.
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

/// How many deliveries ended in each outcome.
package struct OutcomeCounts: Hashable, Sendable {
    /// One for each outcome, at its ``Outcome/place``; an array and no dictionary, since every delivery is counted.
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)
    /// How many of the skipped were skipped as ``SkipReason/tooLate``.
    package var tooLate = 0
    /// How many of the skipped were skipped as ``SkipReason/expired``.
    package var expired = 0
    /// How many of the skipped were skipped as ``SkipReason/revoked``.
    package var revoked = 0

    package init(_ counts: [Outcome: Int] = [:]) {
        for (outcome, count) in counts { self[outcome] = count }
    }

    package subscript(outcome: Outcome) -> Int {
        get { counts[outcome.place] }
        set { counts[outcome.place] = newValue }
    }

    /// Adds those of other deliveries.
    package mutating func add(_ other: OutcomeCounts) {
        for outcome in Outcome.allCases { self[outcome] += other[outcome] }
        tooLate += other.tooLate
        expired += other.expired
        revoked += other.revoked
    }

    /// The sum over all outcomes, `not_attempted` included.
    package var total: Int { counts.reduce(0, +) }

    /// Deliveries that were skipped because time was up, and not on purpose.
    package var late: Int { tooLate + expired }

    /// The outcomes that leave people unreached, or perhaps unreached, in the order in which `--only` names them.
    package var left: [Outcome] {
        [.failed, .rejected, .unknown, .skipped, .notAttempted].filter {
            $0 == .skipped ? late + revoked > 0 : self[$0] > 0
        }
    }

    /// Deliveries that ended otherwise than the campaign wanted (contract, section 9).
    package var troubled: Int { self[.rejected] + self[.failed] + self[.unknown] + late }
}

/// Why a delivery was skipped; its detail in store and report begins with it.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
    /// `finish_within` was over before its turn.
    case tooLate = "too late"
    /// The payload had expired before its turn.
    case expired
    /// The person has had as many pushes as they may get.
    case capped
    /// The payload was taken back.
    case revoked
    /// The run repeats a part of an earlier one, and this delivery is not in that part.
    case notAskedFor = "not asked for"
    /// The person was forgotten before its turn.
    case forgotten
    /// The person has fetched what a fallback follows before its turn.
    case fetched

    /// The detail that the store keeps: the reason with an explanation.
    package func detail(_ text: String) -> String { "\(rawValue): \(text)" }
}

/// How far a run came, in people.
package struct Reach: Hashable, Sendable {
    /// People for whom the hub took a push on at least one platform; it does not say whether they have a device.
    package var accepted: Int
    /// People who fetched the payload.
    package var fetched: Int
    /// People who read it.
    package var read: Int

    package init(accepted: Int = 0, fetched: Int = 0, read: Int = 0) {
        self.accepted = accepted
        self.fetched = fetched
        self.read = read
    }
}
