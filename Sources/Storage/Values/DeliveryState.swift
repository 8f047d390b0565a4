package import CampaignCore

/// The state of a delivery, as it is stored; states below 2 are open.
package enum DeliveryState: RawRepresentable, Hashable, Sendable {
    /// The delivery was claimed again after waiting.
    case sending
    case waiting
    case ended(Outcome)

    package static let notAttempted = DeliveryState.ended(.notAttempted)
    static let greatest = Outcome.firstStored + Outcome.numbered.count - 1

    /// The SQL list of states of deliveries that were or may have been handed to the hub; a claimed
    /// delivery without a row is ``sending``.
    package static let handed =
        "\(sending.rawValue), \(waiting.rawValue), \(Outcome.reaching.stored)"

    package init(_ state: DeliveryRecord.State) {
        self = if case .ended(let outcome) = state { .ended(outcome) } else { .waiting }
    }

    package init?(rawValue: Int) {
        switch rawValue {
        case 0: self = .sending
        case 1: self = .waiting
        default:
            let number = rawValue - Outcome.firstStored
            guard Outcome.numbered.indices.contains(number) else { return nil }
            self = .ended(Outcome.numbered[number])
        }
    }

    package var rawValue: Int {
        switch self {
        case .sending: 0
        case .waiting: 1
        case .ended(let outcome): outcome.stored
        }
    }

    package var outcome: Outcome {
        if case .ended(let outcome) = self { outcome } else { .notAttempted }
    }
}

extension SQLRow {
    func state(_ column: Int) throws -> DeliveryState {
        guard let state = DeliveryState(rawValue: try int(column)) else { throw DamagedValue() }
        return state
    }
}

extension Outcome {
    fileprivate static let firstStored = 2

    /// The ``DeliveryState`` of a delivery that ended this way.
    package var stored: Int { number + Self.firstStored }
}

extension Sequence<Outcome> {
    /// The numbers of the outcomes, separated by commas for SQL's `IN`.
    package var stored: String { map { "\($0.stored)" }.joined(separator: ", ") }
}

extension OutcomeCounts {
    /// The counts by name, omitting zeros.
    package var stored: [String: Int] {
        let counted = Outcome.allCases.filter { self[$0] != 0 }
        return Dictionary(uniqueKeysWithValues: counted.map { ($0.rawValue, self[$0]) })
    }

    /// Ignores the outcomes of newer versions.
    package init(
        stored: [String: Int], tooLate: Int = 0, expired: Int = 0, revoked: Int = 0
    ) {
        self.init()
        for outcome in Outcome.allCases { self[outcome] = stored[outcome.rawValue] ?? 0 }
        (self.tooLate, self.expired, self.revoked) = (tooLate, expired, revoked)
    }
}
