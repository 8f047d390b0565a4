import CampaignCore
import Delivery
import TestSupport
import Testing

@Suite(.bounded) struct RunForecastTests {
    private let people = ListedAudience.people(["alice", "bob"])

    private func forecast(
        _ campaign: Campaign, _ mode: RunRequest.Mode = .occurrence(.once), on bench: TestBench
    ) async throws -> RunForecast {
        let audience = try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: people), sorter: try TestBench.sorter(),
            now: bench.now())
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, mode: mode, campaignPath: "/c.yaml")
        return try await RunForecast(of: request, to: audience, in: bench.ledger, at: bench.now())
    }

    @Test("Changes since the run was staged are reported")
    func changesSinceTheRunWasStagedAreReported() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let changed = try TestBench.campaign(
            fingerprints: ["audience": "1", "payload": "2", "delivery": "2"])
        #expect(try await forecast(changed, on: bench).changed.isEmpty)
        _ = try await bench.stage(campaign, people: people)
        #expect(try await forecast(campaign, on: bench).changed.isEmpty)
        // Keys that a run always takes from the file are not reported as changed.
        #expect(try await forecast(changed, on: bench).changed == ["payload"])
        _ = try await bench.run(campaign, people: people)
        #expect(try await forecast(changed, on: bench).changed == ["payload"])
        // A new send takes everything from the file.
        #expect(try await forecast(changed, .again, on: bench).changed.isEmpty)
    }

    /// - Parameter file: nil means no fingerprint, as in runs of older versions.
    private func campaign(file: String?) throws -> Campaign {
        var fingerprints = ["audience": "1", "payload": "1"]
        fingerprints["payload.file"] = file
        return try TestBench.campaign(fingerprints: fingerprints)
    }

    @Test("A payload file with changed content is reported")
    func payloadFileWithChangedContentIsReported() async throws {
        let bench = TestBench()
        _ = try await bench.stage(campaign(file: "1"), people: people)
        #expect(try await forecast(campaign(file: "1"), on: bench).changed.isEmpty)
        #expect(try await forecast(campaign(file: "2"), on: bench).changed == ["payload.file"])
    }

    @Test("A run without a checksum of its payload file reports no change to the file")
    func runWithoutAChecksumOfItsPayloadFileReportsNoChangeToTheFile() async throws {
        let bench = TestBench()
        _ = try await bench.stage(campaign(file: nil), people: people)
        #expect(try await forecast(campaign(file: "1"), on: bench).changed.isEmpty)
    }
}
