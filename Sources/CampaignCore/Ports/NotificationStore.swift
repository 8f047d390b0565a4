package import FoundationEssentials

/// Keeps payloads for devices to fetch, and what their recipients did with them.
///
/// Storage has it. Every call throws when the store cannot be read or written, or when a payload cannot be decrypted.
package protocol NotificationStore: Sendable {
    /// A notification, whoever it was sent to, taken back or not; nil when there is none.
    func notification(_ id: NotificationID) async throws -> StoredNotification?
    /// A notification as one recipient may fetch it.
    ///
    /// - Returns: nil when it does not exist, was not sent to them, or was taken back. One that has expired is returned, without its
    ///   bytes once these were purged.
    func notification(_ id: NotificationID, for recipient: Username) async throws
        -> ReceivedNotification?
    /// The same for whoever only asks what it is: content is neither read nor decrypted.
    ///
    /// - Returns: a notification without its bytes. Where its content is encrypted, or is no more, there is no `byteCount`, and
    ///   what is encrypted along, which is type, message and digest, is left out too; this needs no key.
    func notificationWithoutContent(
        _ id: NotificationID, for recipient: Username
    ) async throws -> ReceivedNotification?
    /// What one person was sent and could still fetch, newest run first: not expired, not taken back, no alerts, and only what
    /// was handed to the hub or may have been.
    ///
    /// - Parameters:
    ///   - recipient: who.
    ///   - isUnread: only what they have not read.
    ///   - last: the last id of the page before; nil at first. One that is not theirs, or is gone, gives nothing.
    ///   - limit: how many at the most.
    ///   - now: what has expired by then is left out.
    /// - Returns: notifications without their bytes; empty at the end.
    /// - Throws: when the store cannot be read.
    func notifications(
        for recipient: Username, isUnread: Bool, after last: NotificationID?, limit: Int,
        at now: Date
    ) async throws -> [ReceivedNotification]
    /// Writes down what recipients did, in one transaction; of each kind, the first time stays.
    func record(_ receipts: [Receipt]) async throws

    /// Makes sure, before anybody asks for one, that payloads can be decrypted.
    ///
    /// - Throws: when anything was ever encrypted here and its key is missing or is another; when the store cannot be read.
    func checkPayloadKey() async throws

    // MARK: Keeping house

    /// What is stored, newest run first, and within a run by number; without any content.
    ///
    /// - Parameters:
    ///   - run: only this run's; nil: all.
    ///   - last: the last id of the page before; nil at first.
    ///   - limit: how many at the most.
    /// - Returns: empty at the end.
    /// - Throws: when the store cannot be read.
    func overviews(run: RunID?, after last: NotificationID?, limit: Int) async throws
        -> [NotificationOverview]
    /// The same of one notification; nil when there is none. Needs no key.
    func overview(_ id: NotificationID) async throws -> NotificationOverview?
    /// Takes one notification back: nobody can fetch it any more. The first time stays.
    ///
    /// - Returns: false when there is no such notification.
    func revoke(_ id: NotificationID, at time: Date) async throws -> Bool
    /// Deletes, for good, what nobody can fetch any more: content that has expired or was taken back. The ledger stays.
    ///
    /// - Parameters:
    ///   - now: the present.
    ///   - isDryRun: counts only.
    /// - Returns: how many notifications, and how many bytes, were (or would be) freed.
    /// - Throws: when the store cannot be written.
    func purge(at now: Date, isDryRun: Bool) async throws -> PurgeCounts
}
