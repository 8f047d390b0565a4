/// How far a run came, in people.
package struct Reach: Hashable, Sendable {
    /// People for whom the hub took a push on at least one platform; whether they have a device, it does not say.
    package var accepted: Int
    /// People who fetched the payload.
    package var fetched: Int
    /// People who read it.
    package var read: Int

    package init(accepted: Int = 0, fetched: Int = 0, read: Int = 0) {
        self.accepted = accepted
        self.fetched = fetched
        self.read = read
    }
}
