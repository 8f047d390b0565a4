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
