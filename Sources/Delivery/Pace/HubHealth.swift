/// The state of the hub, judged by its answers to all pushes.
///
/// A push that has run out of tries fails only if the hub answered other pushes in the meantime. If
/// it answered none, the run pauses.
struct HubHealth: Sendable {
    /// After this many lost answers in a row, a run with `on_unknown: hold` pauses, and other runs
    /// start no new pushes.
    let patience: Int
    /// nil if nothing has been throttled since the last definite answer.
    var throttledSince: Duration?
    private var lastAnswer: Duration?
    private var silence = 0

    /// - Parameter concurrency: the minimum for ``patience``, because answers in flight are often
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

    /// Ignores an answer that arrived at the same time as a failure, because it says nothing about
    /// the time after the failure.
    func hasAnswered(after time: Duration) -> Bool {
        lastAnswer.map { $0 > time } ?? false
    }
}
