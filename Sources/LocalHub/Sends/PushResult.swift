/// What became of one push of a send.
struct PushResult: Sendable {
    /// Whom it was for.
    let target: PushTarget
    /// Why it did not reach the device; nil when it did.
    let refusal: PushRefusal?

    /// What the push service made of it.
    var outcome: PushOutcome { refusal?.outcome ?? .success }
}
