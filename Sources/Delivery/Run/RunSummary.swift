package import CampaignCore
package import FoundationEssentials

package struct RunSummary: Sendable {
    package let record: RunRecord
    package let outcomes: OutcomeCounts
    package let result: RunResult
    /// Warnings as full sentences.
    package internal(set) var warnings: [String] = []
    /// For a run that had already finished, the keys that have changed since
    /// (`RunRecord.changedKeys(in:)`).
    package var changed: [String] = []
}

package enum RunResult: Hashable, Sendable {
    case finished
    /// Nothing was sent.
    case alreadyFinished
    /// A rerun continues when the next wave is due.
    case waiting(until: Date)
    /// The run was stopped by `hubsend stop`; only `resume` continues it.
    case stopped
    /// The run was ended permanently by `hubsend stop`, with deliveries left.
    case ended
    /// A rerun continues the run. The reason is a sentence.
    case paused(PauseCause, reason: String)
    /// Other processes continue the run, which remains `running`. The reason is a sentence.
    case left(PauseCause, reason: String, others: Int)
}

package enum PauseCause: Hashable, Sendable {
    /// The task was cancelled, as after SIGINT and SIGTERM.
    case cancelled
    case quota
    case credentials
    case hubNotFound
    case notAHub
    /// There was no connection for longer than `retry.for`.
    case unreachable
    /// The hub throttled for longer than `retry.for`.
    case throttled
    case unanswering
    /// Too many deliveries failed (`stop_when`).
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

    /// Why a run is paused; nil if an older version did not record it.
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

/// A pause with its reason as a sentence.
struct Pause: Hashable, Sendable {
    let cause: PauseCause
    /// The only platform that is held up; nil if all are.
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
            reason ?? Self.sentence(for: cause, of: platform.map { [$0] } ?? [], detail: detail)
    }

    /// The pause of a run whose remaining work is only on platforms that are held up.
    init?(_ held: [Pause], of platforms: [Platform]) {
        guard let first = held.first else { return nil }
        cause = first.cause
        platform = nil
        detail = first.detail
        let isWhole = held.count == platforms.count
        var (left, sentences) = (held, [String]())
        while let next = left.first {
            let same = left.filter { $0.cause == next.cause }
            left.removeAll { $0.cause == next.cause }
            sentences.append(
                Self.sentence(
                    for: next.cause,
                    of: isWhole && same.count == held.count ? [] : same.compactMap(\.platform),
                    detail: next.detail, areOthersSent: left.isEmpty && !isWhole))
        }
        reason = sentences.joined(separator: " ")
    }

    /// - Parameter trouble: why the run was waiting for the hub at that time; nil if it was not.
    init(interruptedIn trouble: HubTrouble?, at now: Date) {
        let reason = trouble.map {
            "Interrupted \($0.interruption(at: now)); pushes in flight have ended, and everything is saved."
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

    /// - Parameter named: the platforms that are held up; empty if all are.
    private static func sentence(
        for cause: PauseCause, of named: [Platform] = [], detail: String = "",
        areOthersSent: Bool = false
    ) -> String {
        let which = named.isEmpty ? "" : named.map(\.rawValue).joined(separator: " and ") + " "
        let answer = detail.isEmpty ? "" : " (\(TroubleReason.essence(of: detail)))"
        let others = areOthersSent ? "; all other due pushes were sent" : ""
        return switch cause {
        case .cancelled:
            "The run was interrupted; pushes in flight have ended, and everything is saved."
        case .quota:
            "The hub has used up its tier's quota of pushes or requests\(answer). Continue when it is "
                + "renewed, or choose a higher tier."
        case .credentials:
            "The hub refused the key\(answer). Check the connection string's key and that its rule "
                + "has the Send right, then continue."
        case .hubNotFound:
            "The namespace has no such hub\(answer). Check the hub's name."
        case .notAHub:
            "The endpoint is not a notification hub, or it cannot be trusted\(answer). Check the connection "
                + "string's endpoint, then continue."
        case .unreachable:
            "The hub could not be reached after all retries\(answer). Continue when it is reachable."
        case .throttled:
            "The hub throttled \(which)pushes for longer than `retry.for`\(answer)\(others). Continue later, "
                + "or with a lower rate."
        case .unanswering:
            "The hub gave no usable answer to any \(which)push\(answer)\(others). "
                + "Continue when it answers again."
        case .tooManyFailures:
            "Too many deliveries failed\(answer). Find out why in the report, then continue."
        }
    }
}
