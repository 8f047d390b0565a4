package import CampaignCore
package import FoundationEssentials

/// Stores runs of campaigns and data for devices; every call throws ``StoreError`` if it fails.
package protocol Store: RunLedger, RunStatistics, ScheduleLedger, TelemetryLedger, TroubleLedger,
    NotificationStore, RegistrationStore
{
    /// Where the store is, for error messages.
    var place: StoreComponent { get }

    // MARK: Processes

    /// Keeps other processes away from a campaign.
    var campaignLock: any CampaignLock { get }
    /// Whether a process is working on a campaign; the check locks nothing.
    func isWorkedOn(campaign: String) async throws -> Bool
    /// Why this is no longer the store that was opened; nil if it still is, or if that is unknown.
    ///
    /// Other errors may be temporary and are reported when the store is used.
    func placeProblem() async -> StoreError?
    func close() throws(StoreError)

    // MARK: Health

    /// Quickly checks that the store is readable and intact.
    func checkPages() async throws
    /// Checks the whole store.
    func check() async throws -> StoreHealth

    // MARK: Cleaning

    /// Deletes payloads of old runs that can no longer be fetched.
    func purgePayloads(ofRunsEndedBy end: Date, at now: Date) async throws -> PurgeCounts
    /// Deletes the recipients and outcomes of runs that ended by a given time; their totals are
    /// kept.
    func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries
    /// Returns free space to the file system, to the extent that it is worth the effort.
    ///
    /// If `isBrief`, nobody waits for more than a few hundredths of a second. `rewriting` is called
    /// before a complete rewrite.
    func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace
    /// Re-encrypts payloads that were encrypted with earlier keys, a few at a time, and continues
    /// an interrupted call.
    ///
    /// Once all payloads are re-encrypted, the store needs only the first key.
    ///
    /// - Throws: `CancellationError` between two transactions.
    func rekey(_ progress: @escaping @Sendable (_ payloads: Int) -> Void) async throws
        -> RekeyedPayloads
    /// Permanently forgets a person: the name, personal payloads, and the ownership of
    /// registrations.
    func forget(_ person: Username, at now: Date) async throws -> ForgottenPerson
}

extension Store {
    /// Regularly checks whether the store is still the one that was opened; returns when it is not,
    /// or when the task is cancelled.
    package func watchPlace(
        every interval: Duration = .seconds(2), clock: any Clock<Duration> = ContinuousClock(),
        onReplaced: @Sendable (any Error) -> Void
    ) async {
        while true {
            do {
                try await clock.sleep(for: interval)
            } catch {
                return  // The task was cancelled.
            }
            if let problem = await placeProblem() { return onReplaced(problem) }
        }
    }

    package func giveSpaceBack(isBrief: Bool = false) async throws -> StoreSpace {
        try await giveSpaceBack(isBrief: isBrief, rewriting: { _ in })
    }
}
