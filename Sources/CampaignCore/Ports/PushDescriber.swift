/// Shows what a send would look like, with the same encoder.
///
/// NotificationHubs has it.
package protocol PushDescriber: Sendable {
    /// The exact request of the first push of a page, its signature hidden and never computed.
    func describe(_ page: PushPage) -> PushRequest?
}
