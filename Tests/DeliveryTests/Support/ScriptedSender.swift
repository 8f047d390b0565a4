import CampaignCore
import Synchronization

/// A hub that answers as scripted and follows the rules of the port.
final class ScriptedSender: PushSender {
    enum Reply: Sendable {
        case now(PushDisposition, String = "")
        /// The result arrives after this delay.
        case late(Duration, PushDisposition)
        /// No result at all, which violates the rules of the port.
        case silence

        var isAccepted: Bool {
            switch self {
            case .now(.accepted, _), .late(_, .accepted): true
            default: false
            }
        }
    }

    struct Sent: Sendable {
        let platform: Platform
        let usernames: [Username]
        let body: [UInt8]
        let at: Duration
        let page: Int

        /// The first of the people who share the request.
        var username: Username { usernames[0] }
    }

    /// - Parameters: platform, user, and the number of the try, from 1.
    typealias Script = @Sendable (Platform, Username, Int) async -> Reply

    private struct State: Sendable {
        var sent: [Sent] = []
        var accepted: [Sent] = []
        var tries: [String: Int] = [:]
        var pages: [PushPage] = []
    }

    private let clock: TestClock
    private let script: Mutex<Script>
    private let state = Mutex(State())

    init(clock: TestClock, script: @escaping Script = { _, _, _ in .now(.accepted) }) {
        self.clock = clock
        self.script = Mutex(script)
    }

    var sent: [Sent] { state.withLock(\.sent) }
    /// Accepted pushes, whether or not the response was recorded.
    var accepted: [Sent] { state.withLock(\.accepted) }
    var pages: [PushPage] { state.withLock(\.pages) }

    func answer(_ script: @escaping Script) {
        self.script.withLock { $0 = script }
    }

    func describe(_ page: PushPage) -> PushRequest? { nil }

    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async {
        let index = state.withLock { state in
            state.pages.append(page)
            return state.pages.count - 1
        }
        let script = script.withLock { $0 }
        var batch: [PushResult] = []
        var late: [(Duration, PushResult, recipients: Int)] = []
        var silent = 0
        var isOver = false
        for push in page.pushes {
            guard !isOver, !Task.isCancelled else {
                batch.append(PushResult(number: push.number, disposition: .notSent, requests: 0))
                continue
            }
            let (sent, number) = note(push, of: page, at: index)
            let reply = await script(page.platform, push.usernames[0], number)
            if reply.isAccepted { state.withLock { $0.accepted.append(sent) } }
            switch reply {
            case .now(let disposition, let detail):
                batch.append(
                    PushResult(number: push.number, disposition: disposition, detail: detail))
                if case .stop = disposition { isOver = true }
            case .late(let time, let disposition):
                late.append(
                    (
                        time, PushResult(number: push.number, disposition: disposition),
                        push.usernames.count
                    ))
            case .silence:
                silent += push.usernames.count
            }
        }
        if !batch.isEmpty { await results(batch) }
        let start = clock.elapsed
        // The ledger holds the clock for every delivery in flight.
        clock.release(late.reduce(silent) { $0 + $1.recipients })
        defer { clock.hold(silent) }
        for (time, result, recipients) in late.sorted(by: { $0.0 < $1.0 }) {
            await wait(until: start + time)
            clock.hold(recipients)
            await results([result])
        }
    }

    /// Waits until a time; a cancellation ends the wait.
    private func wait(until time: Duration) async {
        do {
            try await clock.sleepPatiently(until: time)
        } catch {
            return
        }
    }

    /// Records a push; returns it with the number of its try.
    private func note(_ push: Push, of page: PushPage, at index: Int) -> (Sent, number: Int) {
        let sent = Sent(
            platform: page.platform, usernames: push.usernames, body: push.body,
            at: clock.elapsed, page: index)
        return state.withLock { state in
            let key = "\(page.platform) \(sent.username)"
            state.tries[key, default: 0] += 1
            state.sent.append(sent)
            return (sent, state.tries[key] ?? 0)
        }
    }
}
