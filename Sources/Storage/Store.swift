package import CampaignCore
package import FoundationEssentials

/// All that is kept of campaigns' runs and for devices, whatever it is kept in.
///
/// Every call throws ``StoreError`` when the store cannot be read or written. The conformance suite says what a store keeps to.
package protocol Store: RunLedger, RunStatistics, ScheduleLedger, TelemetryLedger, TroubleLedger,
    NotificationStore, RegistrationStore
{
    /// Where it is, as sentences name it.
    var place: StorePlace { get }

    // MARK: Processes

    /// Keeps a second process away from a campaign.
    var campaignLock: any CampaignLock { get }
    /// Whether a process works on a campaign; asking keeps nobody from beginning to.
    func isWorkedOn(campaign: String) async throws -> Bool
    /// Looks every now and then whether the store is still the one that was opened, until it is not or the task is cancelled.
    ///
    /// - Parameter onReplaced: gets ``StoreError/replaced(_:)``. Whatever else there is may pass, and who needs the store is told
    ///   of it.
    func watchPlace(onReplaced: @Sendable (any Error) -> Void) async
    /// Closes it; every later call throws.
    func close() throws(StoreError)

    // MARK: Health

    /// Looks whether it can be read and is whole, as far as that does not take long.
    func checkPages() async throws
    /// Looks at all that is in it.
    func check() async throws -> StoreHealth

    // MARK: Cleaning

    /// Deletes the payloads of runs that ended by a time and that nobody can fetch any more.
    func purgePayloads(ofRunsEndedBy end: Date, at now: Date) async throws -> PurgeCounts
    /// Deletes who runs went to and what became of it, of runs that ended by a time; their sums stay.
    ///
    /// - Parameter isDryRun: counts only.
    func deleteDeliveries(
        ofRunsEndedBy end: Date, at now: Date, isDryRun: Bool
    ) async throws -> DeletedDeliveries
    /// Gives free space back to the disk, as far as that is worth the work.
    ///
    /// - Parameters:
    ///   - isBrief: whether nobody waits for more than some hundredths of a second.
    ///   - rewriting: called before all of it is rewritten, with the number of bytes to write.
    func giveSpaceBack(
        isBrief: Bool, rewriting: @Sendable (_ bytes: Int) -> Void
    ) async throws -> StoreSpace
    /// Encrypts with the first of the keys at hand what an earlier one encrypted, some payloads at a time; what was interrupted goes
    /// on with the next call. Once all is, the store works for those who have the first key alone.
    ///
    /// - Parameter progress: told how many it were so far.
    /// - Throws: `CancellationError` between two transactions.
    func rekey(_ progress: @escaping @Sendable (_ payloads: Int) -> Void) async throws
        -> RekeyedPayloads
    /// Forgets a person for good: their name, what was rendered for them, and whose registrations were theirs.
    func forget(_ person: Username, at now: Date) async throws -> ForgottenPerson
}

extension Store {
    /// Gives free space back to the disk, as far as that is worth the work.
    ///
    /// - Parameter isBrief: whether nobody waits for more than some hundredths of a second.
    package func giveSpaceBack(isBrief: Bool = false) async throws -> StoreSpace {
        try await giveSpaceBack(isBrief: isBrief, rewriting: { _ in })
    }
}
