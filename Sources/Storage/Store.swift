package import CampaignCore
package import FoundationEssentials

/// Stores runs of campaigns and data for devices; every call throws ``StoreError`` if it fails.
package protocol Store: RunLedger, RunStatistics, ScheduleLedger, TelemetryLedger, TroubleLedger,
    NotificationStore, RegistrationStore
{
    /// Where it is, as error messages name it.
    var place: StoreComponent { get }

    // MARK: Processes

    /// Keeps a second process away from a campaign.
    var campaignLock: any CampaignLock { get }
    /// Whether a process works on a campaign; asking locks nothing.
    func isWorkedOn(campaign: String) async throws -> Bool
    /// Why it is no longer the store that was opened; nil if it is, or if that is unknown.
    ///
    /// Other errors may pass, and are reported to those who use the store.
    func placeProblem() async -> StoreError?
    func close() throws(StoreError)

    // MARK: Health

    /// A quick check that it is readable and intact.
    func checkPages() async throws
    /// A complete check.
    func check() async throws -> StoreHealth

    // MARK: Cleaning

    /// Deletes payloads of old runs that nobody can fetch any more.
    func purgePayloads(ofRunsEndedBy end: Date, at now: Date) async throws -> PurgeCounts
    /// Deletes the recipients and outcomes of runs that ended by a time; their totals are kept.
    func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries
    /// Gives free space back to the disk, as far as that is worth the work.
    ///
    /// `isBrief`: nobody may wait for more than some hundredths of a second. `rewriting` is called
    /// before a complete rewrite.
    func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace
    /// Re-encrypts payloads of earlier keys with the first key, some at a time, continuing an
    /// interrupted call.
    ///
    /// When all are done, the store works with the first key alone.
    ///
    /// - Throws: `CancellationError` between two transactions.
    func rekey(_ progress: @escaping @Sendable (_ payloads: Int) -> Void) async throws
        -> RekeyedPayloads
    /// Forgets a person for good: name, personal payloads, and ownership of registrations.
    func forget(_ person: Username, at now: Date) async throws -> ForgottenPerson
}

extension Store {
    /// Checks now and then whether the store is still the one that was opened, until it is not or
    /// the task is cancelled.
    package func watchPlace(
        every interval: Duration = .seconds(2), clock: any Clock<Duration> = ContinuousClock(),
        onReplaced: @Sendable (any Error) -> Void
    ) async {
        while true {
            do {
                try await clock.sleep(for: interval)
            } catch {
                return  // Cancelled.
            }
            if let problem = await placeProblem() { return onReplaced(problem) }
        }
    }

    package func giveSpaceBack(isBrief: Bool = false) async throws -> StoreSpace {
        try await giveSpaceBack(isBrief: isBrief, rewriting: { _ in })
    }
}
