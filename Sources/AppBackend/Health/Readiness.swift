import CampaignCore
import FoundationEssentials
import HummingbirdCore
import Logging
import Synchronization

/// Whether the server can do its work: the store answers and its payloads can be decrypted, people
/// can sign in, and receipts and the audit are written.
///
/// Anybody may ask, so the answer is found out once a second at most.
final class Readiness: Sendable {
    private static let lifetime: TimeInterval = 1

    private struct Finding {
        let time: Date
        let isReady: Bool
    }

    private let store: any NotificationStore
    private let receipts: ReceiptWriter
    private let audit: AuditLog
    /// Why nobody, or not everybody, can sign in, as a sentence; nil: all can.
    private let closedDoor: @Sendable () -> String?
    private let now: @Sendable () -> Date
    private let logger: Logger
    private let last = Mutex<Finding?>(nil)

    init(
        store: any NotificationStore, receipts: ReceiptWriter, audit: AuditLog,
        closedDoor: @escaping @Sendable () -> String?, now: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        self.store = store
        self.receipts = receipts
        self.audit = audit
        self.closedDoor = closedDoor
        self.now = now
        self.logger = logger
    }

    func response() async -> Response {
        let time = now()
        let known = last.withLock { $0 }
        if let known, (0..<Self.lifetime).contains(time.timeIntervalSince(known.time)) {
            return known.isReady ? Health.ready : Health.notReady
        }
        let fault = await fault()
        last.withLock { $0 = Finding(time: time, isReady: fault == nil) }
        guard let fault else {
            if known?.isReady == false { logger.notice("Ready again.") }
            return Health.ready
        }
        if known?.isReady != false {
            logger.warning("Not ready.", metadata: ["reason": "\(fault)"])
        }
        return Health.notReady
    }

    private func fault() async -> String? {
        if let closed = closedDoor() { return closed }
        guard audit.isWritable else { return "the audit cannot be written" }
        if let since = receipts.failingSince {
            return "receipts cannot be written since \(UTCTime.text(since))"
        }
        do {
            _ = try await store.notification(.placeholder)
        } catch {
            return "the store cannot be read: \(error)"
        }
        do {
            try await store.checkPayloadKey()
            return nil
        } catch {
            return "payloads cannot be decrypted: \(error)"
        }
    }
}
