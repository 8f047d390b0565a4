/// The keys of a run in JSON; which of them stand where, the types that print say.
enum RunKey: String, CodingKey {
    case run, campaign, occurrence, state, recipients, deliveries, requests, outcomes, started
    case finished, report, rehearsal, reason, hub, people, revoked
}
