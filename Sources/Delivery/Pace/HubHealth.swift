/// What the hub's answers say about the hub itself, and not about one push.
///
/// A push that ran out of tries has failed only when the hub answered others meanwhile; when it answered nobody, the hub is
/// the trouble, and the run pauses.
struct HubHealth: Sendable {
    /// After this many lost answers in a row, a run under `on_unknown: hold` pauses, and any other run sends to nobody new.
    let patience: Int
    private var lastAnswer: Duration?
    private var silence = 0

    /// - Parameter concurrency: requests in flight at once. The patience is no smaller, since their answers are often lost together.
    init(concurrency: Int) {
        self.patience = max(20, concurrency)
    }

    /// Whether as many answers in a row were lost as the patience allows.
    var isSilent: Bool { silence >= patience }

    /// The hub gave somebody a definite answer, yes or no, at that time.
    mutating func answered(at now: Duration) {
        lastAnswer = now
    }

    /// The next answer in the order in which they came was a definite one.
    mutating func answerCame() {
        silence = 0
    }

    /// The next answer in the order in which they came was lost.
    mutating func answerLost() {
        silence += 1
    }

    /// Whether the hub gave anybody a definite answer at a time or after it.
    func hasAnswered(since time: Duration) -> Bool {
        lastAnswer.map { $0 >= time } ?? false
    }

    /// Whether the hub gave anybody a definite answer after a time.
    ///
    /// An answer that came at the same time as a failure does not count: it says nothing about what came next.
    func hasAnswered(after time: Duration) -> Bool {
        lastAnswer.map { $0 > time } ?? false
    }
}
