import CampaignCore
import Synchronization

/// Room for one `fetched`, kept while its answer is on the way; given back when the answer never
/// gets there.
final class ReceiptSlot: Sendable {
    private let place: ReceiptPlace
    private let writer: ReceiptWriter
    private let isSettled = Mutex(false)

    init(place: ReceiptPlace, writer: ReceiptWriter) {
        self.place = place
        self.writer = writer
    }

    deinit {
        if !isSettled.withLock({ $0 }) { writer.settle(place, isFetched: false) }
    }

    /// The answer went out whole.
    func fill() {
        let isFirst = isSettled.withLock { isSettled in
            defer { isSettled = true }
            return !isSettled
        }
        if isFirst { writer.settle(place, isFetched: true) }
    }
}
