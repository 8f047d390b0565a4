import CampaignCore
import FoundationEssentials
import Storage
import Testing

extension StorePromise {
    private static let run = Samples.runID()

    package static let waves = [
        StorePromise("A run's waves are read back unchanged") { test in
            let run = Samples.run()
            let waves = Samples.waves([2, 3])
            try await test.store.begin(run)
            try await test.store.store(waves, of: run.id)
            #expect(try await test.reopen().waves(run.id) == waves)
            let plain = Samples.run("bbbbbb", campaign: "other")
            try await test.store.begin(plain)
            try await test.store.store([], of: plain.id)
            #expect(try await test.store.waves(plain.id) == [])
            #expect(try await test.store.waveOutcomes(plain.id) == [])
        },
        StorePromise("Waves that miss people or are added too late are refused") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            let waves = Samples.waves([2, 3])
            let gap = RunWave(
                number: 1, recipients: 2...3, windows: waves[0].windows, zones: waves[0].zones)
            let wrong = [[waves[1]], [waves[0], waves[0]], [waves[1], waves[0]], [gap]]
            for waves in wrong {
                await #expect(throws: StoreError.unordered(run.id)) {
                    try await test.store.store(waves, of: run.id)
                }
            }
            #expect(try await test.store.waves(run.id) == [])
            try await test.store.store(waves, of: run.id)
            await #expect(throws: StoreError.unordered(run.id)) {
                try await test.store.store(waves, of: run.id)
            }
            let late = Samples.run("bbbbbb", campaign: "other")
            try await test.store.begin(late)
            try await test.store.append(
                [StagedRecipient(username: Samples.names(1)[0])], to: late.id)
            await #expect(throws: StoreError.unordered(late.id)) {
                try await test.store.store(waves, of: late.id)
            }
            try await test.store.finishStaging(late.id, counts: AudienceCounts(final: 1))
            await #expect(throws: StoreError.notStaging(late.id)) {
                try await test.store.store(waves, of: late.id)
            }
        },
        StorePromise("Each wave's recipients are in name order and match its count") { test in
            let run = Samples.run()
            let names = Samples.names(5)
            let append = { (wanted: [Int]) in
                try await test.store.append(
                    wanted.map { StagedRecipient(username: names[$0]) }, to: run.id)
            }
            try await test.store.begin(run)
            try await test.store.store(Samples.notification(), of: run.id)
            try await test.store.store(Samples.waves([2, 3]), of: run.id)
            await #expect(throws: StoreError.unordered(run.id)) { try await append([3, 1]) }
            // The second wave begins within a page.
            try await append([1, 3, 0])
            for wrong in [[0], [4, 2], [1, 2, 4]] {
                await #expect(throws: StoreError.unordered(run.id)) { try await append(wrong) }
            }
            try await append([2, 4])
            try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 5))
            let first = try await test.store.claimNext(run.id, platform: .apns, wave: 1, limit: 9)
            #expect(first.map(\.username) == [names[1], names[3]])
            #expect(first.map(\.number) == [1, 2])
            let second = try await test.store.claimNext(run.id, platform: .apns, wave: 2, limit: 9)
            #expect(second.map(\.username) == [names[0], names[2], names[4]])
            #expect(second.map(\.number) == [3, 4, 5])
        },
        StorePromise("Staging does not end while people of a wave are missing") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            try await test.store.store(Samples.waves([2, 3]), of: run.id)
            try await test.store.append(
                Samples.names(4).map { StagedRecipient(username: $0) }, to: run.id)
            await #expect(throws: StoreError.unordered(run.id)) {
                try await test.store.finishStaging(run.id, counts: AudienceCounts(final: 4))
            }
            #expect(try await test.store.run(run.id)?.state == .staging)
        },
        StorePromise("A removed staging leaves no waves") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            try await test.store.store(Samples.waves([2, 3]), of: run.id)
            try await test.store.append(
                Samples.names(3).map { StagedRecipient(username: $0) }, to: run.id)
            let other = try test.reopen()
            try await other.clearStaging(run.id)
            #expect(try await other.waves(run.id) == [])
            // The run is restarted with different waves.
            try await test.stage(inWavesOf: [1, 1])
            #expect(try await other.waves(run.id) == Samples.waves([1, 1]))
            let claims = try await other.claimNext(run.id, platform: .apns, wave: 2, limit: 9)
            #expect(claims.map(\.number) == [2])
            try await other.verify(run.id)
        },
        StorePromise("A restarted run has only the waves of its last staging") { test in
            let run = Samples.run()
            try await test.store.begin(run)
            try await test.store.store(Samples.waves([2, 3]), of: run.id)
            try await test.stage(Samples.names(3))
            #expect(try await test.store.waves(run.id) == [])
            let claims = try await test.store.claimNext(run.id, platform: .apns, limit: 9)
            #expect(claims.map(\.number) == [1, 2, 3])
            try await test.reopen().verify(run.id)
        },
        StorePromise("The time to continue is kept only for a waiting run") { test in
            try await test.stage(inWavesOf: [2, 3])
            try await test.store.setState(.paused, reason: "why", of: run, at: Samples.start)
            try await test.store.setWaiting(
                run, until: Samples.start + 3_600, at: Samples.start + 30)
            let other = try test.reopen()
            var read = try #require(try await other.run(run))
            #expect(read.state == .waiting)
            #expect(read.resumes == Samples.start + 3_600)
            #expect(read.reason == nil)
            #expect(read.pause == nil)
            #expect(read.finished == nil)
            try await other.verify(run)
            try await other.setState(.running, reason: nil, of: run, at: Samples.start + 3_600)
            read = try #require(try await test.store.run(run))
            #expect(read.state == .running)
            #expect(read.resumes == nil)
            try await test.store.verify(run)
        },
        StorePromise("The progress of each wave covers all platforms") { test in
            try await test.stage(inWavesOf: [4, 3])
            let waves = Samples.waves([4, 3])
            _ = try await test.store.claimNext(run, platform: .apns, wave: 1, limit: 3)
            _ = try await test.store.claimNext(run, platform: .fcm, wave: 2, limit: 2)
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted)),
                    Samples.record(2, .apns, .ended(.accepted)),
                    Samples.record(3, .apns, .waiting),
                    Samples.record(5, .fcm, .ended(.rejected)),
                ], requests: 4, of: run)
            #expect(
                try await test.reopen().waveOutcomes(run) == [
                    WaveOutcomes(
                        wave: waves[0], outcomes: OutcomeCounts([.accepted: 2, .notAttempted: 6])),
                    WaveOutcomes(
                        wave: waves[1], outcomes: OutcomeCounts([.rejected: 1, .notAttempted: 5])),
                ])
            try await test.store.endRemaining(
                run, as: .skipped, because: .tooLate, detail: "too late", at: Samples.start + 90)
            var first = OutcomeCounts([.accepted: 2, .skipped: 6])
            first.tooLate = 6
            var second = OutcomeCounts([.rejected: 1, .unknown: 1, .skipped: 4])
            second.tooLate = 4
            #expect(try await test.store.waveOutcomes(run).map(\.outcomes) == [first, second])
            #expect(try await test.store.outcomes(run).total == 14)
        },
        StorePromise("A run with waves passes verification after any sequence of operations") {
            test in
            try await test.stage(inWavesOf: [6, 5, 4])
            try await test.store.verify(run)
            for (platform, wave) in [(Platform.apns, 1), (.fcm, 2), (.apns, 2), (.apns, 1)] {
                _ = try await test.store.claimNext(run, platform: platform, wave: wave, limit: 2)
                try await test.store.verify(run)
            }
            try await test.store.record(
                [
                    Samples.record(1, .apns, .ended(.accepted)),
                    Samples.record(2, .apns, .waiting), Samples.record(7, .apns, .waiting),
                ], requests: 3, of: run)
            try await test.store.claimAgain(
                run, platform: .apns, numbers: [7], at: Samples.start + 70)
            try await test.store.verify(run)
            try await test.store.setWaiting(run, until: Samples.start + 900, at: Samples.start + 80)
            try await test.reopen().verify(run)
            try await test.store.endRemaining(
                run, as: .notAttempted, because: nil, detail: "ended", at: Samples.start + 100)
            try await test.reopen().verify(run)
        },
    ]
}
