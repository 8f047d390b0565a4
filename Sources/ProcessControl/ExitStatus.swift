/// The exit codes that scripts rely on.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    /// The exit code, 0 to 255; if hubsend ran a command, the exit code of that command.
    package let rawValue: Int32

    /// Success: everything was accepted or valid, or there was nothing to do.
    package static let done = ExitStatus(rawValue: 0)
    /// A campaign has findings that are errors.
    package static let findings = ExitStatus(rawValue: 1)
    /// The usage or the configuration is wrong.
    package static let configuration = ExitStatus(rawValue: 2)
    /// The run is finished, but some deliveries were rejected, failed, unknown, or skipped as too
    /// late or expired.
    package static let troubled = ExitStatus(rawValue: 3)
    /// Credentials were refused.
    package static let credentials = ExitStatus(rawValue: 4)
    /// The run was stopped by `hubsend stop`.
    package static let stopped = ExitStatus(rawValue: 5)
    /// Something would be sent; used only by `preview --detailed-exitcode`.
    package static let wouldSend = ExitStatus(rawValue: 10)
    /// A bug in hubsend.
    package static let bug = ExitStatus(rawValue: 70)
    /// The command should be tried again later, which is safe.
    package static let tryAgain = ExitStatus(rawValue: 75)
    /// SIGINT ended the command; the run is saved, and a rerun continues it.
    package static let interrupted = ExitStatus(.interrupted)
    /// SIGTERM ended the command; the run is saved, and a rerun continues it.
    package static let terminated = ExitStatus(.terminated)

    /// The order of precedence when several campaigns share one exit code.
    private static let precedence: [ExitStatus] = [
        .bug, .terminated, .interrupted, .credentials, .configuration, .tryAgain, .stopped,
        .findings, .troubled, .wouldSend, .done,
    ]

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The exit code of a command that a signal ended.
    package init(_ signal: SignalWatch.Ending) {
        rawValue = signal.exitCode
    }

    /// The exit code for several campaigns in one call.
    package static func combining(_ statuses: [ExitStatus]) -> ExitStatus {
        precedence.first(where: statuses.contains) ?? .done
    }
}
