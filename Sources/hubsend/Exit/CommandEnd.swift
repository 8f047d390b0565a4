import CampaignOperations
import Delivery
import ProcessControl
import Terminal

/// How a command ended other than by doing its work: the code that a script sees, and what a person reads.
struct CommandEnd: Error, CustomStringConvertible {
    let status: ExitStatus
    /// Full sentences: what happened, where, what to do; empty where all there is to say was said.
    let message: String
    /// Lines to show below, such as diagnostics; empty as a rule.
    let details: String

    init(_ status: ExitStatus, _ message: String = "", details: String = "") {
        self.status = status
        self.message = message
        self.details = details
    }

    /// Whether nothing is to be said any more.
    var isSilent: Bool { message.isEmpty }

    var description: String { message }

    /// Ends the command without a word, unless the status is ``ExitStatus/done``.
    static func exit(_ status: ExitStatus) throws {
        if status != .done { throw CommandEnd(status) }
    }
}

/// The exit codes that scripts rely on (contract, section 9).
struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// 0 to 255; of a command that hubsend ran, whatever that ended with.
    let rawValue: Int32

    /// Done: all accepted, valid, or nothing to do.
    static let done = ExitStatus(rawValue: 0)
    /// Faults in a campaign.
    static let faults = ExitStatus(rawValue: 1)
    /// Wrong usage or configuration.
    static let configuration = ExitStatus(rawValue: 2)
    /// Finished, but some deliveries are rejected, failed, unknown, or skipped as too late or expired.
    static let troubled = ExitStatus(rawValue: 3)
    /// Credentials refused.
    static let credentials = ExitStatus(rawValue: 4)
    /// Stopped by `hubsend stop`.
    static let stopped = ExitStatus(rawValue: 5)
    /// Only with `preview --detailed-exitcode`: something would be sent.
    static let wouldSend = ExitStatus(rawValue: 10)
    /// A bug in hubsend.
    static let bug = ExitStatus(rawValue: 70)
    /// Try again later; a rerun is safe.
    static let tryAgain = ExitStatus(rawValue: 75)
    /// SIGINT: saved, a rerun continues.
    static let interrupted = ExitStatus(rawValue: 130)
    /// SIGTERM: saved, a rerun continues.
    static let terminated = ExitStatus(rawValue: 143)

    /// The order in which several campaigns' codes are one (contract, section 9).
    private static let precedence: [ExitStatus] = [
        .bug, .terminated, .interrupted, .credentials, .configuration, .tryAgain, .stopped,
        .faults, .troubled, .wouldSend, .done,
    ]

    init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code of a command that a signal ended.
    init(_ signal: SignalWatch.Ending) {
        rawValue = signal.exitCode
    }

    /// The code, or that of the signal where one interrupted.
    func after(_ signal: SignalWatch.Ending?) -> ExitStatus {
        self == .interrupted ? signal.map(ExitStatus.init) ?? self : self
    }

    /// The one code for several campaigns in one call.
    static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
        precedence.first(where: statuses.contains) ?? .done
    }
}

extension ExitStatus {
    /// The code of how it ended with one campaign.
    init(_ end: CampaignEnd) {
        self =
            switch end {
            case .done: .done
            case .troubled: .troubled
            case .stopped: .stopped
            case .unfinished: .tryAgain
            case .interrupted: .interrupted
            case .failed(let error): FailureTranslation.end(for: error).status
            case .paused(let cause):
                switch cause {
                case .cancelled: .interrupted
                case .credentials: .credentials
                case .hubNotFound, .notAHub: .configuration
                case .unreachable, .throttled, .unanswering, .tooManyFailures: .tryAgain
                }
            }
    }
}

extension ExitStatus {
    /// The code of a preview.
    ///
    /// - Parameters:
    ///   - ends: how it ended with each campaign.
    ///   - isDetailed: whether it tells whether something would be sent.
    init(_ ends: [Preview.End], isDetailed: Bool) {
        self = .combining(
            ends.map { end in
                switch end {
                case .faults: .faults
                case .refused: .configuration
                case .wouldSend: isDetailed ? .wouldSend : .done
                case .nothing: .done
                }
            })
    }
}

extension Console {
    /// Says how a command ended, if there is anything to say.
    static func complain(_ end: CommandEnd) {
        guard !end.isSilent else { return }
        complain("hubsend: \(end.message)")
        notice(end.details)
    }
}
