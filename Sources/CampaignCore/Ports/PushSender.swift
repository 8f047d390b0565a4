/// Sends pages of pushes to a hub.
///
/// NotificationHubs has it. A page is the unit of hand-over, not a barrier: several calls of ``send(_:handing:)`` run at once and share the
/// sender's connections and its bound on requests in flight, and one hanging request holds up nothing else.
package protocol PushSender: PushDescriber {
    /// Sends every push of a page and hands over what became of each.
    ///
    /// Results come in batches as answers arrive, at least every 250 ms while there are any; each push has exactly one.
    /// When the task is cancelled, no further request begins, those in flight end within their timeout, and the rest
    /// come back as ``PushDisposition/notSent``. After a `stop` no further request begins either. Nor does one when nobody
    /// gets a connection, or nothing has come back in a request's whole time: the rest comes back with the same failure, so
    /// that it takes no longer for many than for a few; the next page tries anew.
    ///
    /// - Parameters:
    ///   - page: what to send; requests start no closer together than its intervals (over a second, where these are under 10 ms), and no more of its platform are in
    ///     flight than its concurrency allows.
    ///   - results: takes a batch; the sender waits for it before it hands over the next of this page.
    func send(_ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void) async
}
