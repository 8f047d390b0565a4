import Delivery
import ProcessControl

/// How a command ended without doing its work: the exit code, and what a person reads.
struct CommandEnd: Error, CustomStringConvertible {
    let status: ExitStatus
    /// Full sentences: what happened, where, what to do; empty if everything was said.
    let message: String
    /// Lines to show below, such as diagnostics; usually empty.
    let details: String

    init(_ status: ExitStatus, _ message: String = "", details: String = "") {
        self.status = status
        self.message = message
        self.details = details
    }

    var isSilent: Bool { message.isEmpty }

    var description: String { message }

    /// Ends the command silently, unless the status is ``ExitStatus/done``.
    static func exit(_ status: ExitStatus) throws {
        if status != .done { throw CommandEnd(status) }
    }
}

extension ExitStatus {
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
                case .unreachable, .throttled, .unanswering, .tooManyFailures, .quota: .tryAgain
                }
            }
    }
}

extension ExitStatus {
    /// - Parameter isDetailed: whether the code tells if something would be sent.
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
    static func complain(_ end: CommandEnd) {
        guard !end.isSilent else { return }
        complain("hubsend: \(end.message)")
        notice(end.details)
    }
}
