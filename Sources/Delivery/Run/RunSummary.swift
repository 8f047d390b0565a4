package import CampaignCore
package import FoundationEssentials

/// What became of a run.
package struct RunSummary: Sendable {
    /// The run as the store holds it now.
    package let record: RunRecord
    package let outcomes: OutcomeCounts
    package let result: RunResult
    /// Sentences that a person should read.
    package internal(set) var warnings: [String]
    /// The keys of the campaign file that were changed since, for a run that was found finished (`RunRecord.changedKeys(in:)`).
    package let changed: [String]

    init(
        record: RunRecord, outcomes: OutcomeCounts, result: RunResult, warnings: [String] = [],
        changed: [String] = []
    ) {
        self.record = record
        self.outcomes = outcomes
        self.result = result
        self.warnings = warnings
        self.changed = changed
    }
}

/// How the work on a run ended.
package enum RunResult: Hashable, Sendable {
    /// Every delivery has an outcome.
    case finished
    /// The run was finished before; nothing was sent.
    case alreadyFinished
    /// All that was due is done; a rerun continues once later waves are due.
    case waiting(until: Date)
    /// `hubsend stop` asked for it; only `resume` continues.
    case stopped
    /// `hubsend stop` ended it for good, and something was left of it.
    case ended
    /// Something got in the way; a rerun continues. The reason is a sentence.
    case paused(PauseCause, reason: String)
    /// This process left, and others go on with the run, which stays `running`. The reason is a sentence.
    case left(PauseCause, reason: String, others: Int)
}

/// Why a run paused.
package enum PauseCause: Hashable, Sendable {
    /// The task was cancelled, as on SIGINT and SIGTERM.
    case cancelled
    /// The hub refused key or rule, also after a token renewal.
    case credentials
    /// The namespace has no hub of that name.
    case hubNotFound
    /// What answers is not a notification hub, or its certificate cannot be trusted.
    case notAHub
    /// No connection came about for as long as a push may be retried.
    case unreachable
    /// The hub throttled for longer than a push may be retried.
    case throttled
    /// Requests went out and no answer came.
    case unanswering
    /// Too large a share of the deliveries ended badly (`stop_when`).
    case tooManyFailures
}

extension PauseCause {
    /// Whether the run goes on by itself.
    var pause: RunPause {
        switch self {
        case .cancelled, .unreachable, .throttled, .unanswering: .passing
        case .credentials, .notAHub, .tooManyFailures: .person
        case .hubNotFound: .missingHub
        }
    }
}

/// A pause of a run, with its reason as a sentence for people.
struct Pause: Hashable, Sendable {
    let cause: PauseCause
    /// The only platform that it holds up; nil: it ends the work on all of them.
    let platform: Platform?
    let reason: String
    private let detail: String

    /// - Parameters:
    ///   - cause: why the run pauses.
    ///   - platform: the only platform that it holds up; nil: it ends the work on all of them.
    ///   - detail: the last thing that the hub said, or that went wrong on the way to it; may be empty.
    init(_ cause: PauseCause, of platform: Platform? = nil, detail: String = "") {
        self.init(cause, of: platform, naming: platform.map { [$0] } ?? [], detail: detail)
    }

    /// The pause of a run that has nothing left to do but on the platforms that are held up.
    ///
    /// - Parameters:
    ///   - held: why each of these platforms is held up; the first one's cause is the run's.
    ///   - platforms: the run's platforms.
    init?(_ held: [Pause], of platforms: [Platform]) {
        guard let first = held.first else { return nil }
        let named = held.filter { $0.cause == first.cause }.compactMap(\.platform)
        self.init(
            first.cause, of: nil, naming: platforms.count == named.count ? [] : named,
            detail: first.detail)
    }

    private init(
        _ cause: PauseCause, of platform: Platform?, naming named: [Platform], detail: String
    ) {
        self.cause = cause
        self.platform = platform
        self.detail = detail
        self.reason = Self.sentence(
            for: cause, of: named, said: detail.isEmpty ? "" : " (\(detail))")
    }

    /// The pause for an interruption.
    ///
    /// - Parameters:
    ///   - trouble: why the run stood still at that time; nil: it did not.
    ///   - now: the time of day.
    init(interruptedIn trouble: HubTrouble?, at now: Date) {
        self.cause = .cancelled
        self.platform = nil
        self.detail = ""
        self.reason =
            trouble.map {
                "Interrupted \($0.interruption(at: now)); what was in flight has ended, and all is saved."
            } ?? Self.sentence(for: .cancelled, of: [], said: "")
    }

    /// The pause for an answer after which no push can succeed.
    init(stop cause: PushDisposition.StopCause, detail: String) {
        switch cause {
        case .credentials: self.init(PauseCause.credentials, detail: detail)
        case .hubNotFound: self.init(PauseCause.hubNotFound, detail: detail)
        case .notAHub: self.init(PauseCause.notAHub, detail: detail)
        }
    }

    /// - Parameter named: the platforms that are held up, while all others were sent to; empty: all are.
    private static func sentence(
        for cause: PauseCause, of named: [Platform], said: String
    ) -> String {
        let pushes = named.map(\.rawValue).joined(separator: " and ")
        let (which, rest) =
            named.isEmpty ? ("", "") : (pushes + " ", "; all others that were due were sent")
        return switch cause {
        case .cancelled:
            "The run was interrupted; what was in flight has ended, and all is saved."
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
