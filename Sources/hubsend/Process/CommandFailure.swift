import CampaignCore
import ProcessControl

/// A command could not do its work: what a person reads, and the code that a script sees.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// Full sentences: what happened, where, what to do.
    let message: String
    /// Lines to show below, such as diagnostics; empty as a rule.
    let details: String

    init(_ status: ExitStatus, _ message: String, details: String = "") {
        self.status = status
        self.message = message
        self.details = details
    }

    var description: String { message }
}

/// The exit codes that scripts rely on (contract, section 9).
enum ExitStatus: Int32, Hashable, Sendable {
    /// Done: all accepted, valid, or nothing to do.
    case done = 0
    /// Faults in a campaign.
    case faults = 1
    /// Wrong usage or configuration.
    case configuration = 2
    /// Finished, but some deliveries are rejected, failed, unknown, or skipped as too late or expired.
    case troubled = 3
    /// Credentials refused.
    case credentials = 4
    /// Stopped by `hubsend stop`.
    case stopped = 5
    /// A bug in hubsend.
    case bug = 70
    /// Try again later; a rerun is safe.
    case tryAgain = 75
    /// SIGINT: saved, a rerun continues.
    case interrupted = 130
    /// SIGTERM: saved, a rerun continues.
    case terminated = 143

    /// The order in which several campaigns' codes are one (contract, section 9).
    private static let precedence: [ExitStatus] = [
        .bug, .terminated, .interrupted, .credentials, .configuration, .tryAgain, .stopped,
        .faults, .troubled, .done,
    ]

    /// The code of a command that a signal ended.
    init(_ signal: SignalWatch.Ending) {
        self =
            switch signal {
            case .interrupted: .interrupted
            case .terminated: .terminated
            }
    }

    /// The same, with the signal that interrupted where one did.
    func after(_ signal: SignalWatch.Ending?) -> ExitStatus {
        self == .interrupted ? signal.map(ExitStatus.init) ?? self : self
    }

    /// The one code for several campaigns in one call.
    static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
        precedence.first(where: statuses.contains) ?? .done
    }
}

/// A command that has said all there is to say, with the code that it ends with.
struct CommandEnd: Error {
    let status: ExitStatus

    /// Throws itself unless the status is ``ExitStatus/done``.
    static func exit(_ status: ExitStatus) throws {
        if status != .done { throw CommandEnd(status: status) }
    }
}

/// Another program did the command's work; its exit code is handed on as it is.
struct ProgramEnd: Error, Equatable {
    /// 0 to 255; 128 and the signal's number for one that a signal ended, as shells say it.
    let code: Int32
}

extension CommandFailure {
    /// A run that the store does not have.
    static func noSuchRun(_ id: RunID) -> CommandFailure {
        CommandFailure(
            .configuration,
            "There is no run \(id) in this store; `hubsend runs` lists those that are.")
    }

    /// A campaign of which the store has no run.
    static func noSuchCampaign(_ name: String) -> CommandFailure {
        CommandFailure(
            .configuration,
            "There is no run of a campaign \(name) in this store; `hubsend runs` lists those that are."
        )
    }

    /// Payloads that the store does not have.
    static func noSuchPayload(_ ids: [NotificationID]) -> CommandFailure {
        CommandFailure(
            .configuration,
            """
            There is no payload \(ids.map(\.text).joined(separator: ", ")) in this store, and nothing was done; \
            `hubsend payload list` lists those that are.
            """)
    }
}
