import Logging
import NotificationHubs
import Synchronization

/// Tells a monitoring service when a run begins, and how it ended.
///
/// If that fails, the run continues. All waits together last less than five seconds.
final class Heartbeat: Sendable {
    struct Patience: Sendable {
        static let standard = Patience(
            command: .seconds(1), start: .seconds(1), end: .milliseconds(2_500))

        /// How long a command that prints the address may take.
        ///
        /// Ending it takes up to a second more, and then nothing else is tried.
        let command: Duration
        let start: Duration
        let end: Duration
    }

    private enum Address {
        case unread
        case unusable
        case known(WebCall)
    }

    private struct State {
        var address = Address.unread
        var isComplaining = true
    }

    private let secret: Secret
    private let userAgent: String
    private let logger: Logger
    private let patience: Patience
    private let state = Mutex(State())

    /// - Parameter logger: is told once if the service was not reached.
    init(
        _ secret: Secret, userAgent: String, logger: Logger, patience: Patience = .standard
    ) {
        self.secret = secret
        self.userAgent = userAgent
        self.logger = logger
        self.patience = patience
    }

    func start() async {
        await send("/start", within: patience.start)
    }

    /// - Parameter code: the exit code; 0 is success.
    func end(code: Int32) async {
        if code == 0 {
            await send(within: patience.end)
        } else {
            await send("/fail", posting: "exit code \(code)\n", within: patience.end)
        }
    }

    private func send(
        _ step: String = "", posting body: String? = nil, within time: Duration
    ) async {
        guard let call = await call() else { return }
        do throws(WebCall.Failure) {
            try await call.send(step, posting: body, within: time)
        } catch {
            complain("\(error)")
        }
    }

    /// The address, which is read once; nil if it cannot be had.
    private func call() async -> WebCall? {
        switch state.withLock(\.address) {
        case .known(let call): return call
        case .unusable: return nil
        case .unread: break
        }
        do {
            let text = try await secret.text(within: patience.command)
            if let call = WebCall(text, userAgent: userAgent) {
                state.withLock { $0.address = .known(call) }
                return call
            }
            complain(Self.wrongForm(secret.setting))
        } catch is CancellationError {
            // The call was cancelled, and nobody waits for the address now.
        } catch {
            complain("\(error)")
        }
        state.withLock { $0.address = .unusable }
        return nil
    }

    /// Says that an address cannot be called, without showing any of it.
    static func wrongForm(_ setting: String) -> String {
        "What \(setting) gives is no address that can be called; it begins with https://."
    }

    /// Logs the first problem only: from cron, one line per run is enough.
    private func complain(_ why: String) {
        let isFirst = state.withLock { state in
            defer { state.isComplaining = false }
            return state.isComplaining
        }
        guard isFirst else { return }
        logger.warning(
            "The heartbeat was not taken; the run is not affected by that",
            metadata: ["reason": "\(why)"])
    }
}
