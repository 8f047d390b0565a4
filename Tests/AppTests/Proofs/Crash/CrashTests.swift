import LocalHub
import Synchronization
import TestSupport
import Testing

/// The stages at which no run has been killed yet.
private final class MissingStages: Sendable {
    private let stages: Mutex<Set<StoreRemains.Stage>>

    init(_ stages: Set<StoreRemains.Stage>) {
        self.stages = Mutex(stages)
    }

    var areAllMet: Bool { stages.withLock(\.isEmpty) }

    func meet(_ stage: StoreRemains.Stage) {
        stages.withLock { _ = $0.remove(stage) }
    }
}

extension HeavyTests {
    /// Runs that are killed with `SIGKILL` and repeated until they are finished.
    ///
    /// `Benchmarks/kills` does this hundreds of times.
    @Suite struct CrashTests {
        /// Crashes a campaign of each kind in parallel, each in its own slot.
        ///
        /// After that, crashes more campaigns until runs have been killed at each stage.
        private func crash(
            _ kinds: [CrashCampaign.Kind], in wanted: Set<StoreRemains.Stage>,
            _ check:
                @escaping @Sendable (CrashSlot, [CrashRecord], LocalHubServer) async throws -> Void
        ) async throws {
            let slots = try kinds.indices.map { try CrashSlot($0) }
            let missing = MissingStages(wanted)
            let stages = try await HubFixture.run(
                people: slots.flatMap(\.people), platforms: [.apns, .fcm],
                fault: { send in
                    if let number = CrashSlot.number(in: send.tags), slots.indices.contains(number)
                    {
                        slots[number].killSwitch.requested()
                    }
                    return nil
                }
            ) { address, hub in
                try await withThrowingTaskGroup(of: [StoreRemains.Stage].self) { group in
                    for (slot, kind) in zip(slots, kinds) {
                        group.addTask {
                            var records: [CrashRecord] = []
                            // A limit, in case no run is ever killed.
                            for number in 0..<10
                            where number == 0 || !missing.areAllMet {
                                let record = try await slot.crash(
                                    kind, number: number, environment: address.environment,
                                    met: { missing.meet($0) })
                                records.append(record)
                            }
                            try await check(slot, records, hub)
                            return records.flatMap(\.stages)
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
            }
            // Most runs are killed more often than this, but a run that ends before it is killed
            // reduces the number.
            #expect(stages.count >= 2 * kinds.count, "\(stages)")
            #expect(Set(stages).isSuperset(of: wanted), "\(stages)")
        }

        /// Checks that each delivery has one outcome, and that every push is in a report.
        private func check(
            _ slot: CrashSlot, _ records: [CrashRecord], _ hub: LocalHubServer,
            _ judge: (CrashRecord, OutcomeRow, [ReceivedPush]) -> Void
        ) async throws {
            let targets = slot.people.flatMap { person in
                CrashCampaign.platforms.map { "\(person)/\($0)" }
            }
            var received: [String: [ReceivedPush]] = [:]
            for person in slot.people {
                for push in await hub.received(by: person) {
                    received["\(person)/\(push.platform.campaignName)", default: []].append(push)
                }
            }
            for record in records {
                #expect(record.rows.map(\.target) == targets, "one row for each, in name order")
                for row in record.rows {
                    let mark = record.campaign.mark(of: row)
                    let (own, others) = received[row.target, default: []].split(by: {
                        $0.text.contains(mark)
                    })
                    received[row.target] = others
                    judge(record, row, own)
                }
            }
            let strays = received.values.joined()
            #expect(strays.isEmpty, "no push has an id that no report names")
            #expect(try slot.leftovers().isEmpty)
        }

        @Test("Kills at any stage lose nobody and repeat only pushes in doubt")
        func killsAtAnyStageLoseNobodyAndRepeatOnlyPushesInDoubt() async throws {
            try await crash(
                [.shared, .personal, .grouped], in: [.staging, .sending, .finished]
            ) { slot, records, hub in
                try await check(slot, records, hub) { record, row, pushes in
                    #expect(row.outcome == "accepted")
                    #expect(!pushes.isEmpty, "\(row.target) is missing at the hub")
                    let doubts = record.timesInDoubt[row.target] ?? 0
                    #expect(pushes.count <= 1 + doubts, "\(row.target) was sent too often")
                }
            }
        }

        @Test("Alerts in doubt become unknown, and nobody is alerted twice")
        func alertsInDoubtBecomeUnknownAndNobodyIsAlertedTwice() async throws {
            try await crash([.alert, .alert], in: [.sending]) { slot, records, hub in
                try await check(slot, records, hub) { record, row, pushes in
                    let wasInDoubt = record.timesInDoubt[row.target] != nil
                    #expect(row.outcome == (wasInDoubt ? "unknown" : "accepted"))
                    #expect(wasInDoubt ? pushes.count <= 1 : pushes.count == 1)
                }
            }
        }
    }
}

extension Array {
    fileprivate func split(
        by condition: (Element) -> Bool
    ) -> (matching: [Element], others: [Element]) {
        (filter(condition), filter { !condition($0) })
    }
}
