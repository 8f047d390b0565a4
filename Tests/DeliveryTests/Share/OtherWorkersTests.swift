import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct OtherWorkersTests {
    private func worker(
        _ id: Int64, accepted: Int, requests: Int = 0, throttled: Int = 0
    ) -> RunWorker {
        RunWorker(
            id: id, process: WorkerProcess(host: "host-\(id)", number: 1, version: "1"),
            joined: TestBench.start, seen: TestBench.start,
            report: WorkerReport(
                outcomes: OutcomeCounts([.accepted: accepted]), requests: requests,
                traffic: [.apns: PlatformTraffic(answers: accepted, throttled: throttled)]))
    }

    @Test("Each update returns what other processes did since the last update")
    func eachUpdateReturnsWhatOtherProcessesDidSinceTheLastUpdate() {
        var others = OtherWorkers()
        let old = others.update(with: [worker(1, accepted: 5)])
        #expect(old.outcomes == OutcomeCounts([.accepted: 5]))
        let change = others.update(with: [
            worker(1, accepted: 8, requests: 9, throttled: 1), worker(2, accepted: 2),
        ])
        #expect(change.outcomes == OutcomeCounts([.accepted: 5]))
        #expect(change.requests == 9)
        #expect(change.traffic == [.apns: PlatformTraffic(answers: 5, throttled: 1)])
        #expect(others.count == 2)
    }

    @Test("A process that leaves and returns is not counted twice")
    func processThatLeavesAndReturnsIsNotCountedTwice() {
        var others = OtherWorkers()
        _ = others.update(with: [])
        _ = others.update(with: [worker(1, accepted: 5)])
        let gone = others.update(with: [])
        #expect(gone.outcomes == OutcomeCounts())
        #expect(others.count == 0)
        let back = others.update(with: [worker(1, accepted: 6)])
        #expect(back.outcomes == OutcomeCounts([.accepted: 1]))
    }
}
