package import CampaignCore
package import FoundationEssentials
import Storage
import Testing

extension StoreUnderTest {
    /// Stages a run of five people with all kinds of events, and ends it.
    @discardableResult
    package func stageFinishedRun(endingAt end: Date) async throws -> ReceiptKey {
        let run = Samples.runID()
        let names = Samples.names(5)
        let ids = try await stagePersonal(names)
        try await accept(1...5, of: run, on: .fcm)
        _ = try await store.claimNext(run, platform: .apns, limit: 5)
        try await store.record(
            [
                Samples.record(1, .apns, .ended(.accepted)),
                Samples.record(
                    2, .apns, .ended(.rejected), detail: "HTTP 400: bad tag username:user-00002"),
                Samples.record(
                    3, .apns, .ended(.rejected),
                    // The response to a request for several people names all of them.
                    detail: "HTTP 400: bad tag username:user-00002 || username:user-00003"),
                Samples.skipped(4, .apns, .tooLate),
                Samples.record(5, .apns, .ended(.unknown)),
            ], requests: 5, of: run)
        try await receive(ids[0], [.fetched, .read], by: names[0])
        try await receive(ids[1], [.fetched], by: names[1])
        try await store.setState(.finished, reason: nil, of: run, at: end)
        return try #require(try await store.notification(ids[0], for: names[0])).place
    }
}

extension StorePromise {
    private static let run = Samples.runID()
    private static let end = Samples.start + 3_600
    /// The time when the samples' payloads have expired.
    private static let later = Samples.start + 8 * 86_400

    package static let retention = [
        StorePromise("A run's totals are kept when its deliveries are deleted") { test in
            let place = try await test.stageFinishedRun(endingAt: end)
            let store = test.store
            let outcomes = try await store.outcomes(run)
            #expect(outcomes.tooLate == 1 && outcomes[.accepted] == 6)
            let reach = try await store.reach(run)
            #expect(reach == Reach(accepted: 5, fetched: 2, read: 1))
            let platforms = try await store.platformOutcomes(run)
            let tried = try await store.peopleTried(run)
            #expect(tried == 5)
            let expected = DeletedDeliveries(runs: 1, people: 5)
            for isDryRun in [true, false] {
                #expect(try await store.run(run)?.deliveriesDeleted == nil)
                let deleted = try await store.deleteDeliveries(
                    ofRunsEndedBy: end, at: later, isDryRun: isDryRun)
                #expect(deleted == expected)
            }
            let other = try test.reopen()
            #expect(try await other.run(run)?.deliveriesDeleted == later)
            #expect(try await other.outcomes(run) == outcomes)
            #expect(try await other.reach(run) == reach)
            #expect(try await other.platformOutcomes(run) == platforms)
            #expect(try await other.peopleTried(run) == tried)
            #expect(try await other.course(run, steps: 60) == nil)
            let reasons = [
                TroubleReason(
                    outcome: .rejected, reason: "HTTP 400: bad tag username:", count: 2,
                    example: nil),
                TroubleReason(outcome: .unknown, reason: "", count: 1, example: nil),
            ]
            #expect(try await other.reasons(run, limit: 9) == reasons)
            #expect(try await other.reasons(run, limit: 1) == [reasons[0]])
            // A slow device's receipt arrives too late.
            try await other.record([Receipt(place: place, kind: .read, time: later)])
            #expect(try await other.reach(run) == reach)
            try await other.verify(run)
            #expect(try await other.check().damage == [])
            let again = try await other.deleteDeliveries(
                ofRunsEndedBy: end, at: later, isDryRun: false)
            #expect(again == DeletedDeliveries())
        },
        StorePromise("The totals of waves are kept when a run's deliveries are deleted") { test in
            try await test.stage(inWavesOf: [2, 3])
            _ = try await test.store.claimNext(run, platform: .apns, wave: 2, limit: 2)
            try await test.store.record(
                [
                    Samples.record(3, .apns, .ended(.accepted)),
                    Samples.record(4, .apns, .ended(.skipped), attempts: 0, detail: "revoked"),
                ], requests: 1, of: run)
            try await test.store.setState(.finished, reason: nil, of: run, at: end)
            let standings = try await test.store.waveOutcomes(run)
            #expect(standings.map { $0.outcomes[.accepted] } == [0, 1])
            _ = try await test.store.deleteDeliveries(
                ofRunsEndedBy: end, at: later, isDryRun: false)
            #expect(try await test.reopen().waveOutcomes(run) == standings)
        },
        StorePromise("Requesting a run's deleted people is an error that says they were deleted") {
            test in
            try await test.stageFinishedRun(endingAt: end)
            let store = test.store
            _ = try await store.deleteDeliveries(ofRunsEndedBy: end, at: later, isDryRun: false)
            let error = StoreError.deliveriesDeleted(run, later)
            #expect(error.description.contains("2026-12-09"))
            await #expect(throws: error) {
                try await store.reportPage(run, after: 0, recipients: 9)
            }
            await #expect(throws: error) {
                try await store.unreached(of: run, with: [.rejected], after: 0, recipients: 9)
            }
            await #expect(throws: error) {
                try await store.people(of: run, with: nil, fetched: nil, after: 0, recipients: 9)
            }
            await #expect(throws: error) {
                try await store.untold(run, platform: .apns, after: 0, limit: 9)
            }
            #expect(try await store.reportRows(run, of: Samples.names(1)[0]).isEmpty)
            #expect(try await store.overviews(run: nil, after: nil, limit: 9).isEmpty)
            let forgotten = try await store.forget(Samples.names(1)[0], at: later)
            #expect(forgotten.runs == 0)
        },
        StorePromise("Deliveries of newer and unfinished runs are kept") { test in
            try await test.stageFinishedRun(endingAt: end)
            let store = test.store
            var fetchable = Samples.run("bbbbbb", campaign: "b")
            fetchable.expires = later + 1
            let open = Samples.run("cccccc", campaign: "c")
            for run in [fetchable, open] {
                try await test.stage(Samples.names(3), of: run)
                try await test.accept(1...3, of: run.id)
            }
            try await store.setState(.finished, reason: nil, of: fetchable.id, at: end)
            try await store.setState(.paused, reason: "No answer.", of: open.id, at: end)
            let before = (
                fetchable: try await test.report(fetchable.id), open: try await test.report(open.id)
            )
            let early = try await store.deleteDeliveries(
                ofRunsEndedBy: end - 0.001, at: later, isDryRun: false)
            #expect(early == DeletedDeliveries())
            #expect(
                try await store.purgePayloads(ofRunsEndedBy: end - 0.001, at: later)
                    == PurgeCounts())
            let deleted = try await store.deleteDeliveries(
                ofRunsEndedBy: later, at: later, isDryRun: false)
            #expect(deleted == DeletedDeliveries(runs: 1, people: 5))
            #expect(try await test.report(fetchable.id) == before.fetchable)
            #expect(try await test.report(open.id) == before.open)
            for run in [fetchable.id, open.id] { try await store.verify(run) }
            // Nothing is waiting for the revoked run any longer.
            try await store.revoke(fetchable.id, at: later)
            let revoked = try await store.deleteDeliveries(
                ofRunsEndedBy: later, at: later, isDryRun: false)
            #expect(revoked == DeletedDeliveries(runs: 1, people: 3))
            #expect(try await test.report(open.id) == before.open)
        },
        StorePromise("A fallback's deliveries are kept while another fallback may follow") {
            test in
            var fallback = Samples.run(
                "ffffff", occurrence: .fallback(of: run, number: 1), kind: .alert)
            fallback.expires = later + 1
            try await test.stage(Samples.names(3), of: fallback)
            try await test.accept(1...3, of: fallback.id)
            try await test.store.setState(.finished, reason: nil, of: fallback.id, at: end)
            let early = try await test.store.deleteDeliveries(
                ofRunsEndedBy: later, at: later, isDryRun: false)
            #expect(early == DeletedDeliveries())
            let deleted = try await test.store.deleteDeliveries(
                ofRunsEndedBy: later, at: later + 1, isDryRun: false)
            #expect(deleted == DeletedDeliveries(runs: 1, people: 3))
        },
        StorePromise("Only payloads of old runs are deleted") { test in
            try await test.stageFinishedRun(endingAt: end)
            let store = test.store
            let other = Samples.run("bbbbbb", campaign: "b")
            let id = try await test.stage(Samples.names(3), of: other)
            try await store.setState(.finished, reason: nil, of: other.id, at: end + 60)
            // As long as payloads can be fetched, nothing is deleted.
            let early = try await store.purgePayloads(ofRunsEndedBy: end, at: end)
            #expect(early == PurgeCounts())
            let counts = try await store.purgePayloads(ofRunsEndedBy: end, at: later)
            #expect(counts.notifications == 5)
            #expect(try await store.notification(id)?.bytes != nil)
            #expect(try await test.report().count == 10)
            #expect(try await store.purgePayloads(ofRunsEndedBy: end, at: later) == PurgeCounts())
        },
    ]
}
