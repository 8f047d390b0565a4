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

    /// The same, with the signal that interrupted where one did.
    func after(_ signal: ExitStatus?) -> ExitStatus {
        self == .interrupted ? signal ?? self : self
    }

    /// The one code for several campaigns in one call.
    static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
        precedence.first(where: statuses.contains) ?? .done
    }
}
