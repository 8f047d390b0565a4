import CampaignCore
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import Logging
import Synchronization

/// Whether the server can work: store, decryption, sign-in, receipts and audit.
///
/// Anybody may ask, so one check runs at a time, everybody shares its result, and that counts for a
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
    private let fileFault: @Sendable () -> String?
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let state = Mutex(State())

    init(
        store: any NotificationStore, receipts: ReceiptWriter, audit: AuditLog,
        fileFault: @escaping @Sendable () -> String?, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.receipts = receipts
        self.audit = audit
        self.fileFault = fileFault
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
        // A separate task, so that the check survives the first caller.
        let check = Task { await self.find() }
        state.check = check
        return .awaited(check)
    }

    private func find() async -> Bool {
        let fault = await fault()
        let time = now()
        let wasReady = state.withLock { state in
            let wasReady = state.last?.isReady
            state = State(last: Finding(time: time, isReady: fault == nil))
            return wasReady
        }
        guard let fault else {
            if wasReady == false { logger.notice("Ready again.") }
            return true
        }
        if wasReady != false {
            logger.warning("Not ready.", metadata: ["reason": "\(fault)"])
        }
        return false
    }

    private func fault() async -> String? {
        if let fault = fileFault() { return fault }
        guard audit.isWritable else { return "the audit cannot be written" }
        if let since = receipts.failingSince {
            return "receipts cannot be written since \(UTCTime.preciseText(since))"
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

/// The answers of `/health` and `/ready`: one word each, nothing that helps an attacker.
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
