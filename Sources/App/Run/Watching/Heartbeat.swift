import Logging
import NotificationHubs
import Synchronization

/// Tells a monitoring service when a run starts and how it ends.
///
/// The run continues if this fails, and waits less than five seconds in total.
final class Heartbeat: Sendable {
    struct Patience: Sendable {
        static let standard = Patience(
            command: .seconds(1), start: .seconds(1), end: .milliseconds(2_500))

        /// The time limit for the command that prints the address.
        ///
        /// If the command exceeds it, ending the command takes up to one more second, and nothing
        /// is sent.
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

    /// - Parameter logger: gets one warning if the service cannot be reached.
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

    /// - Parameter code: the exit code; 0 means success.
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

    /// The address, which is read only once; nil if it is not available.
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
            // The command was cancelled, so the address is no longer needed.
        } catch {
            complain("\(error)")
        }
        state.withLock { $0.address = .unusable }
        return nil
    }

    /// Says that an address cannot be called, without showing it.
    static func wrongForm(_ setting: String) -> String {
        "\(setting) does not contain a valid address; the address must begin with https://."
    }

    /// Logs only the first problem, because one line per run is enough in mail from cron.
    private func complain(_ why: String) {
        let isFirst = state.withLock { state in
            defer { state.isComplaining = false }
            return state.isComplaining
        }
        guard isFirst else { return }
        logger.warning(
            "The heartbeat could not be sent; this does not affect the run",
            metadata: ["reason": "\(why)"])
    }
}
