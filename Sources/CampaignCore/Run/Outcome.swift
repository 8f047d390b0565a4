/// How a delivery ended, if it has ended.
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
        /// The push was deliberately left out during the run.
        case omission
        /// This is not final: the delivery is still open, unless its run has ended.
        case open
    }

    /// The properties in which outcomes differ.
    ///
    /// Other code uses these facts instead of listing outcomes.
    package struct Facts: Sendable {
        package let kind: Kind
        /// Whether the device may have got the push.
        package var mayHaveArrived = false
        /// A sentence for the manual.
        package let summary: String
        /// The end of a line in a report.
        package let meaning: String
        /// Colours on pages with a light and with a dark background.
        package let colours: (light: String, dark: String)
    }

    /// The position among all cases, counted from 0.
    ///
    /// Stores contain it, so it must never change.
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

    /// A table that is created once, because facts are used for every delivery.
    private static let table = allCases.map(\.row)

    private var row: Facts {
        switch self {
        case .accepted:
            Facts(
                kind: .success, mayHaveArrived: true,
                summary: "The hub accepted the push, which does not prove that it arrived.",
                meaning: "the hub accepted it; this does not prove arrival",
                colours: ("#2f5bd7", "#6d94f5"))
        case .rejected:
            Facts(
                kind: .failure, summary: "The hub permanently refused the push.",
                meaning: "the hub permanently refused it", colours: ("#c63d2f", "#ff7a68"))
        case .failed:
            Facts(
                kind: .failure,
                summary: "The push ran out of retries or time while others succeeded.",
                meaning: "its retries or its time ran out", colours: ("#e09a2b", "#e5ab4f"))
        case .unknown:
            Facts(
                kind: .failure, mayHaveArrived: true,
                summary: "The push may have gone out, but the hub's answer was lost.",
                meaning: "may have gone out; the answer was lost",
                colours: ("#8a4fc4", "#c08cf0"))
        case .skipped:
            Facts(
                kind: .omission,
                summary:
                    "Skipped on purpose during the run: over the cap, expired, revoked or too late.",
                meaning: "left out on purpose", colours: ("#7f8a9b", "#7d899b"))
        case .notAttempted:
            Facts(
                kind: .open, summary: "The run ended before the push was tried.",
                meaning: "no outcome yet", colours: ("#b9c2d0", "#47505e"))
        }
    }

    /// All outcomes, in order of ``number``.
    package static let numbered = allCases
    /// All outcomes that are not open.
    package static let final = allCases.filter { $0.kind != .open }
    /// Outcomes of pushes that were or may have been sent.
    package static let sent = allCases.filter { [.success, .failure].contains($0.kind) }
    package static let reaching = allCases.filter(\.facts.mayHaveArrived)
    /// Outcomes that `stop_when` counts and whose reasons are reported.
    package static let failures = allCases.filter { $0.kind == .failure }
    /// The outcomes that `--only` accepts, in the order of suggestions.
    ///
    /// `accepted` is not one of them, because people would get the campaign twice.
    package static let repeatable: [Outcome] = [
        .failed, .rejected, .unknown, .skipped, .notAttempted,
    ]
}

package struct OutcomeCounts: Hashable, Sendable {
    /// The counts, indexed by ``Outcome/number``.
    ///
    /// An array is fast enough to count every delivery.
    private var counts = [Int](repeating: 0, count: Outcome.allCases.count)
    /// How many skipped deliveries have the reason ``SkipReason/tooLate``.
    package var tooLate = 0
    /// How many skipped deliveries have the reason ``SkipReason/expired``.
    package var expired = 0
    /// How many skipped deliveries have the reason ``SkipReason/revoked``.
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

    /// The number of all deliveries, including `not_attempted`.
    package var total: Int { counts.reduce(0, +) }

    /// Deliveries that were skipped because time ran out.
    package var late: Int { tooLate + expired }

    /// Outcomes of people who were not reached or may not have been reached.
    package var left: [Outcome] {
        Outcome.repeatable.filter { $0 == .skipped ? late + revoked > 0 : self[$0] > 0 }
    }

    /// Deliveries that did not end as the campaign wanted.
    package var troubled: Int { failures + late }

    package var failures: Int { Outcome.failures.reduce(0) { $0 + self[$1] } }
}

/// Why a delivery was skipped; the detail in a report begins with it.
package enum SkipReason: String, CaseIterable, Hashable, Sendable {
    case tooLate = "too late"
    case expired
    case capped
    case revoked
    /// A follow-up run, or a fallback, does not include this delivery.
    case notAskedFor = "not asked for"
    case forgotten
    case fetched

    /// The position among all cases, counted from 0.
    ///
    /// Stores contain it, so it must never change.
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
    /// People with an accepted push on any platform, with or without a device.
    package var accepted: Int
    package var fetched: Int
    package var read: Int

    package init(accepted: Int = 0, fetched: Int = 0, read: Int = 0) {
        self.accepted = accepted
        self.fetched = fetched
        self.read = read
    }
}
