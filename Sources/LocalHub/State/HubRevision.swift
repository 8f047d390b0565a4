/// A version of a hub, as far as a state file keeps it.
struct HubRevision: Hashable, Sendable {
    /// Which hub; one that is deleted and created again is another.
    let hub: ObjectIdentifier
    /// How many changes there were.
    let count: Int
}
