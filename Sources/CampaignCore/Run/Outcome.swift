/// How a delivery ended, or that it did not.
package enum Outcome: String, CaseIterable, Hashable, Sendable, Codable {
    case accepted
    case rejected
    case failed
    case unknown
    case skipped
    case notAttempted = "not_attempted"

    package enum Kind: Sendable {
        case success
        case failure
        /// Left out on purpose during the run.
        case omission
        /// Not final: the delivery is still to be made, unless its run was ended.
        case open
    }

    /// All that sets an outcome apart; code asks these facts and does not list outcomes itself.
    package struct Facts: Sendable {
        package let kind: Kind
        /// Whether the device may have got the push.
        package var mayHaveArrived = false
        /// A sentence for the manual.
        package let summary: String
        /// The rest of a line of a report.
        package let meaning: String
        /// On pages with a light and a dark background.
        package let colours: (light: String, dark: String)
    }

    /// Counted from 0 in the order of the cases; stores keep it, so it never changes.
    package var number: Int {
        switch self {
        case .accepted: 0
        case .rejected: 1
        case .failed: 2
        case .unknown: 3
        case .skipped: 4
        case .notAttempted: 5
        }
    }

    package var kind: Kind { Self.table[number].kind }
    package var facts: Facts { Self.table[number] }

    /// Made once, since facts are asked for each delivery.
    private static let table = allCases.map(\.row)

    private var row: Facts {
        switch self {
        case .accepted:
            Facts(
                kind: .success, mayHaveArrived: true,
                summary: "The hub took it, which is no proof of arrival.",
                meaning: "the hub took it; no proof of arrival", colours: ("#2f5bd7", "#6d94f5"))
        case .rejected:
            Facts(
                kind: .failure, summary: "The hub refused it for good.",
                meaning: "the hub refused it for good", colours: ("#c63d2f", "#ff7a68"))
        case .failed:
            Facts(
                kind: .failure,
                summary: "Its retries or time ran out while others succeeded.",
                meaning: "its tries or its time ran out", colours: ("#e09a2b", "#e5ab4f"))
        case .unknown:
            Facts(
                kind: .failure, mayHaveArrived: true,
                summary: "It may have gone out, and the answer was lost.",
                meaning: "may have gone out; the answer was lost",
                colours: ("#8a4fc4", "#c08cf0"))
        case .skipped:
            Facts(
                kind: .omission,
                summary:
                    "Left out on purpose during the run: capped, expired, revoked or too late.",
                meaning: "left out on purpose", colours: ("#7f8a9b", "#7d899b"))
        case .notAttempted:
            Facts(
                kind: .open, summary: "The run was ended before it was tried.",
                meaning: "no outcome yet", colours: ("#b9c2d0", "#47505e"))
        }
    }

    /// By ``number``.
    package static let numbered = allCases
    /// All but those that are open.
    package static let final = allCases.filter { $0.kind != .open }
    /// Their pushes were sent, or may have been.
    package static let sent = allCases.filter { [.success, .failure].contains($0.kind) }
    package static let reaching = allCases.filter(\.facts.mayHaveArrived)
    /// They count against `stop_when`, and reports give reasons for them.
    package static let failures = allCases.filter { $0.kind == .failure }
    /// What `--only` takes, in the order of suggestions; without `accepted`, so that nobody is sent
    /// a campaign twice by accident.
    package static let repeatable: [Outcome] = [
        .failed, .rejected, .unknown, .skipped, .notAttempted,
    ]
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
        get { counts[outcome.number] }
        set { counts[outcome.number] = newValue }
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
        Outcome.repeatable.filter { $0 == .skipped ? late + revoked > 0 : self[$0] > 0 }
    }

    /// Deliveries that did not end as the campaign wanted.
    package var troubled: Int { failures + late }

    package var failures: Int { Outcome.failures.reduce(0) { $0 + self[$1] } }
}

/// Why a delivery was skipped; the detail that people read begins with it.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
    case tooLate = "too late"
    case expired
    case capped
    case revoked
    /// The run repeats part of an earlier one without this delivery.
    case notAskedFor = "not asked for"
    case forgotten
    case fetched

    /// Counted from 0 in the order of the cases; stores keep it, so it never changes.
    package var number: Int {
        switch self {
        case .tooLate: 0
        case .expired: 1
        case .capped: 2
        case .revoked: 3
        case .notAskedFor: 4
        case .forgotten: 5
        case .fetched: 6
        }
    }

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
