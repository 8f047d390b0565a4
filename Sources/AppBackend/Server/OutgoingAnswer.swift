import Synchronization

/// An answer on its way, from before it is written until its connection has taken it or has ended.
///
/// It goes down the channel ahead of the answer, as an event for the ``AnswerWatch``. Whatever
/// becomes of it there, nothing holds it in the end, and it has been told how it ended by then or
/// never will be.
final class OutgoingAnswer: Sendable {
    /// How an answer ended.
    enum End: Equatable {
        /// The system has taken all of it.
        case whole
        /// The connection ended before.
        ///
        /// - Parameter bytes: how many of its body's the system had taken.
        case cutOff(after: Int)
    }

    private let share: AnswerShare?
    private let slot: ReceiptSlot?
    private let onEnd: @Sendable (End) -> Void
    private let bytesSent = Atomic(0)
    private let isWhole = Atomic(false)

    /// Makes one that nothing has been written of.
    ///
    /// - Parameters:
    ///   - share: its part of what may be on its way; nil: it is small.
    ///   - slot: room for the receipt; nil: none is owed.
    ///   - onEnd: is told once how it ended.
    init(
        share: AnswerShare?, slot: ReceiptSlot?, onEnd: @escaping @Sendable (End) -> Void
    ) {
        self.share = share
        self.slot = slot
        self.onEnd = onEnd
    }

    /// So many more bytes of its body have gone out.
    func sent(_ byteCount: Int) {
        bytesSent.add(byteCount, ordering: .relaxed)
    }

    /// It has gone out whole.
    func finish() {
        guard !isWhole.exchange(true, ordering: .relaxed) else { return }
        slot?.fill()
        onEnd(.whole)
    }

    deinit {
        if !isWhole.load(ordering: .relaxed) {
            onEnd(.cutOff(after: bytesSent.load(ordering: .relaxed)))
        }
    }
}
