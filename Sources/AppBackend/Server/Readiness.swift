import CampaignCore
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import Synchronization

/// Checks whether the server is ready: store, decryption, sign-in, receipts and audit.
///
/// Anybody can request the check, so only one runs at a time, and its result is shared for a
/// second.
final class Readiness: Sendable {
    private static let lifetime: TimeInterval = 1

    private struct Finding {
        let time: Date
        let isReady: Bool
    }

    private enum Answer {
        case known(Bool)
        case awaited(Task<Bool, Never>)
    }

    private struct State {
        var last: Finding?
        var check: Task<Bool, Never>?
    }

    private let store: any NotificationStore
    private let receipts: ReceiptWriter
    private let audit: AuditLog
    private let fileProblem: @Sendable () -> String?
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    init(
        store: any NotificationStore, receipts: ReceiptWriter, audit: AuditLog,
        fileProblem: @escaping @Sendable () -> String?, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.receipts = receipts
        self.audit = audit
        self.fileProblem = fileProblem
        self.now = now
        self.logger = logger
    }

    func response() async -> Response {
        await isReady() ? Health.ready : Health.notReady
    }

    private func isReady() async -> Bool {
        switch state.withLock({ answer(&$0) }) {
        case .known(let isReady): isReady
        case .awaited(let check): await check.value
        }
    }

    private func answer(_ state: inout State) -> Answer {
        if let check = state.check { return .awaited(check) }
        if let last = state.last,
            (0..<Self.lifetime).contains(now().timeIntervalSince(last.time))
        {
            return .known(last.isReady)
        }
        // The check runs in a separate task, so that it survives the first caller.
        let check = Task { await self.find() }
        state.check = check
        return .awaited(check)
    }

    private func find() async -> Bool {
        let problem = await problem()
        let time = now()
        let wasReady = state.withLock { state in
            let wasReady = state.last?.isReady
            state = State(last: Finding(time: time, isReady: problem == nil))
            return wasReady
        }
        guard let problem else {
            if wasReady == false { logger.notice("Ready again.") }
            return true
        }
        if wasReady != false {
            logger.warning("Not ready.", metadata: ["reason": "\(problem)"])
        }
        return false
    }

    private func problem() async -> String? {
        if let problem = fileProblem() { return problem }
        guard audit.isWritable else { return "the audit file cannot be written" }
        if let since = receipts.failingSince {
            return "receipts have not been written since \(UTCTime.preciseText(since))"
        }
        do {
            _ = try await store.notification(.placeholder)
        } catch {
            return "the store cannot be read: \(error)"
        }
        do {
            try await store.checkWrites()
        } catch {
            return "the store cannot be written: \(error)"
        }
        do {
            try await store.checkPayloadKey()
            return nil
        } catch {
            return "payloads cannot be decrypted: \(error)"
        }
    }
}

/// The responses of `/health` and `/ready`, which are one word each and do not help an attacker.
enum Health {
    static var up: Response { response("up") }
    static var ready: Response { response("ready") }
    static var notReady: Response {
        var response = response("not ready")
        response.status = .serviceUnavailable
        response.headers[.retryAfter] = "5"
        return response
    }

    private static func response(_ word: String) -> Response {
        var body = JSONWriter()
        body.add("Status", word)
        return Response(json: body.text)
    }
}
