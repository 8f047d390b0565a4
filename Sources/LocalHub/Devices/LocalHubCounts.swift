/// What the hub has done since it started; pushes that the mailboxes have let go still count.
package struct LocalHubCounts: Sendable, Hashable {
    /// Sends that the hub took.
    package var sends = 0
    /// Pushes that reached a device.
    package var arrived = 0
    /// Pushes that a push service refused.
    package var refused = 0
    /// Sends that no device matched.
    package var withoutTarget = 0
    /// Pushes that somebody cleared out of the mailboxes.
    package var cleared = 0
    /// Devices that the hub knows.
    package var devices = 0
}
