package import CampaignCore
package import FoundationEssentials

package struct RunSummary: Sendable {
    package let record: RunRecord
    package let outcomes: OutcomeCounts
    package let result: RunResult
    /// Sentences for people.
    package internal(set) var warnings: [String] = []
    /// Changed keys of a run found finished (`RunRecord.changedKeys(in:)`).
    package var changed: [String] = []
}

package enum RunResult: Hashable, Sendable {
    case finished
    /// Nothing was sent.
    case alreadyFinished
    /// A rerun continues once later waves are due.
    case waiting(until: Date)
    /// By `hubsend stop`; only `resume` continues.
    case stopped
    /// `hubsend stop` ended it for good, with deliveries left.
    case ended
    /// A rerun continues. The reason is a sentence.
    case paused(PauseCause, reason: String)
    /// Others continue the run, which stays `running`. The reason is a sentence.
    case left(PauseCause, reason: String, others: Int)
}

package enum PauseCause: Hashable, Sendable {
    /// As on SIGINT and SIGTERM.
    case cancelled
    case quota
    case credentials
    case hubNotFound
    case notAHub
    /// No connection for longer than `retry.for`.
    case unreachable
    /// The hub throttled for longer than `retry.for`.
    case throttled
    case unanswering
    /// Too large a share of deliveries ended badly (`stop_when`).
    case tooManyFailures
}

extension PauseCause {
    var pause: RunPause {
        switch self {
        case .cancelled, .unreachable, .throttled, .unanswering, .quota: .passing
        case .credentials: .credentials
        case .notAHub: .notAHub
        case .tooManyFailures: .person
        case .hubNotFound: .missingHub
        }
    }

    /// What a paused run waits for; nil: an older version did not say.
    package init(_ pause: RunPause?) {
        self =
            switch pause {
            case .credentials: .credentials
            case .notAHub: .notAHub
            case .person: .tooManyFailures
            case .missingHub: .hubNotFound
            case .passing, nil: .cancelled
            }
    }
}

/// A pause with its reason, a sentence for people.
struct Pause: Hashable, Sendable {
    let cause: PauseCause
    /// The only platform held up; nil: all are.
    let platform: Platform?
    let reason: String
    private let detail: String

    /// - Parameter detail: the last answer or error; may be empty.
    init(
        _ cause: PauseCause, of platform: Platform? = nil, detail: String = "",
        reason: String? = nil
    ) {
        self.cause = cause
        self.platform = platform
        self.detail = detail
        self.reason =
            reason ?? Self.sentence(for: cause, of: platform.map { [$0] } ?? [], said: detail)
    }

    /// The pause of a run whose only work left is on platforms held up.
    init?(_ held: [Pause], of platforms: [Platform]) {
        guard let first = held.first else { return nil }
        cause = first.cause
        platform = nil
        detail = first.detail
        let isWhole = held.count == platforms.count
        var (left, sentences) = (held, [String]())
        while let next = left.first {
            let alike = left.filter { $0.cause == next.cause }
            left.removeAll { $0.cause == next.cause }
            sentences.append(
                Self.sentence(
                    for: next.cause,
                    of: isWhole && alike.count == held.count ? [] : alike.compactMap(\.platform),
                    said: next.detail, isRestSent: left.isEmpty && !isWhole))
        }
        reason = sentences.joined(separator: " ")
    }

    /// - Parameter trouble: why the run stood still at that time; nil: it did not.
    init(interruptedIn trouble: HubTrouble?, at now: Date) {
        let reason = trouble.map {
            "Interrupted \($0.interruption(at: now)); what was in flight has ended, and all is saved."
        }
        self.init(.cancelled, reason: reason)
    }

    init(stop cause: PushDisposition.StopCause, detail: String) {
        switch cause {
        case .quota: self.init(PauseCause.quota, detail: detail)
        case .credentials: self.init(PauseCause.credentials, detail: detail)
        case .hubNotFound: self.init(PauseCause.hubNotFound, detail: detail)
        case .notAHub: self.init(PauseCause.notAHub, detail: detail)
        }
    }

    /// - Parameter named: the platforms held up; empty: all are.
    private static func sentence(
        for cause: PauseCause, of named: [Platform] = [], said detail: String = "",
        isRestSent: Bool = false
    ) -> String {
        let which = named.isEmpty ? "" : named.map(\.rawValue).joined(separator: " and ") + " "
        let said = detail.isEmpty ? "" : " (\(TroubleReason.essence(of: detail)))"
        let rest = isRestSent ? "; all others that were due were sent" : ""
        return switch cause {
        case .cancelled:
            "The run was interrupted; what was in flight has ended, and all is saved."
        case .quota:
            "The hub has used up the pushes or requests of its tier\(said). Continue when its quota is "
                + "renewed, or choose a higher tier."
        case .credentials:
            "The hub refused the credentials\(said); check the connection string's key and that its "
                + "rule may send, then continue."
        case .hubNotFound:
            "The namespace has no such hub\(said); check the hub's name."
        case .notAHub:
            "What answers is not a notification hub that can be trusted\(said); check the connection "
                + "string's endpoint, then continue."
        case .unreachable:
            "The hub could not be reached, however often it was tried\(said); continue when "
                + "it can be."
        case .throttled:
            "The hub throttled \(which)pushes for longer than `retry.for`\(said)\(rest). Continue later, "
                + "or with a lower rate."
        case .unanswering:
            "The hub gave no usable answer to any \(which)push\(said)\(rest). Continue when it does."
        case .tooManyFailures:
            "Too many deliveries ended badly\(said); find out why from the report, then continue."
        }
    }
}
