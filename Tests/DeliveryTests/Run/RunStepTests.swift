import CampaignCore
import Delivery
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct RunStepTests {
    private let people = ListedAudience.people(["alice", "bob"])

    private enum Found: Hashable {
        case begin
        case stage(RunID)
        case proceed(RunID)
        case leaveFinished(RunID)
        case refuseStopped(RunID)
        case refuseUnfinished(RunID)
    }

    private func step(
        _ mode: RunRequest.Mode = .occurrence(.once), on bench: TestBench,
        at hub: HubIdentity = TestBench.hub
    ) async throws -> Found {
        let request = RunRequest(
            campaign: try TestBench.campaign(), hub: hub, mode: mode, campaignPath: "/c.yaml")
        return switch try await RunStep(for: request, in: bench.ledger) {
        case .begin: .begin
        case .stage(let run): .stage(run.id)
        case .proceed(let run): .proceed(run.id)
        case .leaveFinished(let run): .leaveFinished(run.id)
        case .refuseStopped(let run): .refuseStopped(run.id)
        case .refuseUnfinished(let run): .refuseUnfinished(run.id)
        }
    }

    @Test("A campaign that has never been sent is started")
    func campaignThatHasNeverBeenSentIsStarted() async throws {
        let bench = TestBench()
        for mode in [RunRequest.Mode.occurrence(.once), .again, .followUp([.failed]), .rehearsal] {
            #expect(try await step(mode, on: bench) == .begin)
        }
    }

    @Test("A finished run is left unchanged, and --again starts another")
    func finishedRunIsLeftUnchangedAndAgainStartsAnother() async throws {
        let bench = TestBench()
        let run = try await bench.run(TestBench.campaign(), people: people).record.id
        #expect(try await step(on: bench) == .leaveFinished(run))
        for mode in [RunRequest.Mode.again, .followUp([.failed]), .rehearsal] {
            #expect(try await step(mode, on: bench) == .begin)
        }
        let other = HubIdentity(host: "other.example", name: "main")
        #expect(try await step(on: bench, at: other) == .begin)
    }

    @Test("--again continues a staged run if no other has finished")
    func againContinuesAStagedRunIfNoOtherHasFinished() async throws {
        let bench = TestBench()
        let run = try await bench.stage(TestBench.campaign(), people: people)
        #expect(try await step(on: bench) == .proceed(run))
        #expect(try await step(.again, on: bench) == .proceed(run))
        #expect(try await step(.followUp([.failed]), on: bench) == .refuseUnfinished(run))
        #expect(try await step(.rehearsal, on: bench) == .begin)
    }

    @Test("An interrupted staging starts over") func interruptedStagingStartsOver() async throws {
        let bench = TestBench()
        await bench.ledger.fail(.append, after: 0)
        await #expect(throws: (any Error).self) {
            try await bench.run(TestBench.campaign(), people: people)
        }
        await bench.ledger.recover()
        let run = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        #expect(try await step(on: bench) == .stage(run.id))
    }

    @Test("A stopped run is not continued, and it blocks --again")
    func stoppedRunIsNotContinuedAndItBlocksAgain() async throws {
        let bench = TestBench()
        let campaign = try TestBench.campaign()
        let first = try await bench.run(campaign, people: people).record.id
        bench.sender.answer { _, _, _ in .now(.stop(.credentials)) }
        let key = RunRequest.Mode.occurrence(Occurrence(checked: "march"))
        let second = try await bench.run(campaign, people: people, mode: key).record.id
        _ = try await bench.stopper.stop(second)
        #expect(try await step(key, on: bench) == .refuseStopped(second))
        #expect(try await step(on: bench) == .leaveFinished(first))
        #expect(try await step(.again, on: bench) == .refuseUnfinished(second))
        #expect(try await step(.followUp([.failed]), on: bench) == .refuseUnfinished(second))
    }
}
