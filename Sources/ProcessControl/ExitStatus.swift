/// The exit codes that scripts rely on.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// 0 to 255; of a command that hubsend ran, that command's.
    package let rawValue: Int32

    /// Done: all accepted, valid, or nothing to do.
    package static let done = ExitStatus(rawValue: 0)
    /// Faults in a campaign.
    package static let faults = ExitStatus(rawValue: 1)
    /// Wrong usage or configuration.
    package static let configuration = ExitStatus(rawValue: 2)
    /// Finished, but some deliveries are rejected, failed, unknown, or skipped as too late or expired.
    package static let troubled = ExitStatus(rawValue: 3)
    /// Credentials refused.
    package static let credentials = ExitStatus(rawValue: 4)
    /// Stopped by `hubsend stop`.
    package static let stopped = ExitStatus(rawValue: 5)
    /// Only with `preview --detailed-exitcode`: something would be sent.
    package static let wouldSend = ExitStatus(rawValue: 10)
    /// A bug in hubsend.
    package static let bug = ExitStatus(rawValue: 70)
    /// Try again later; a rerun is safe.
    package static let tryAgain = ExitStatus(rawValue: 75)
    /// SIGINT: saved, a rerun continues.
    package static let interrupted = ExitStatus(.interrupted)
    /// SIGTERM: saved, a rerun continues.
    package static let terminated = ExitStatus(.terminated)

    /// The order in which the codes of several campaigns become one.
    private static let precedence: [ExitStatus] = [
        .bug, .terminated, .interrupted, .credentials, .configuration, .tryAgain, .stopped,
        .faults, .troubled, .wouldSend, .done,
    ]

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code of a command that a signal ended.
    package init(_ signal: SignalWatch.Ending) {
        rawValue = signal.exitCode
    }

    /// The one code for several campaigns in one call.
    package static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
        precedence.first(where: statuses.contains) ?? .done
    }
}
