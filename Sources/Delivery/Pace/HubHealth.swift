/// What answers say about the hub itself rather than one push.
///
/// A push out of tries has failed only if the hub answered others meanwhile. If it answered nobody,
/// the run pauses.
struct HubHealth: Sendable {
    /// After so many lost answers in a row, `on_unknown: hold` pauses; other runs send to nobody
    /// new.
    let patience: Int
    /// nil: not throttled since the last definite answer.
    var throttledSince: Duration?
    private var lastAnswer: Duration?
    private var silence = 0

    /// - Parameter concurrency: a lower bound for the patience, because answers in flight are often
    ///   lost together.
    init(concurrency: Int) {
        self.patience = max(20, concurrency)
    }

    var isSilent: Bool { silence >= patience }

    mutating func answered(at now: Duration) {
        lastAnswer = now
        throttledSince = nil
    }

    /// Call in order of arrival.
    mutating func answerCame() {
        silence = 0
        throttledSince = nil
    }

    /// Call in order of arrival.
    mutating func answerLost() {
        silence += 1
    }

    func hasAnswered(since time: Duration) -> Bool {
        lastAnswer.map { $0 >= time } ?? false
    }

    /// An answer at the same time as a failure does not count: it says nothing about what followed.
    func hasAnswered(after time: Duration) -> Bool {
        lastAnswer.map { $0 > time } ?? false
    }
}
