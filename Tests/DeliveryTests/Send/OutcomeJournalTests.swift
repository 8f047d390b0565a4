import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct OutcomeJournalTests {
    private let time = Date(timeIntervalSince1970: 1_800_000_000)

    private func journal(left: Int) -> OutcomeJournal {
        OutcomeJournal(outcomes: OutcomeCounts([.notAttempted: left]), requests: 10)
    }

    private func verdict(_ state: DeliveryRecord.State, of numbers: Range<Int>) -> Verdict {
        Verdict(state: state, attempt: Attempt(numbers.map(DeliveryClaim.fresh)[...]))
    }

    @Test("An outcome is counted immediately and written once")
    func outcomeIsCountedImmediatelyAndWrittenOnce() throws {
        var journal = journal(left: 3)
        journal.note(verdict(.ended(.accepted), of: 1..<3), on: .apns, detail: "", at: time)
        journal.noteRequests(1)
        #expect(journal.outcomes == OutcomeCounts([.accepted: 2, .notAttempted: 1]))
        #expect(journal.requests == 11)
        let batch = try #require(journal.nextBatch)
        #expect(batch.records.map(\.number) == [1, 2])
        #expect(batch.requests == 1)
        journal.wrote(batch)
        #expect(journal.nextBatch?.requests == nil)
        #expect(journal.outcomes[.accepted] == 2)
    }

    @Test("A push that is waiting for a retry is written without an outcome")
    func pushThatIsWaitingForARetryIsWrittenWithoutAnOutcome() {
        var journal = journal(left: 1)
        journal.note(verdict(.waiting, of: 1..<2), on: .apns, detail: "HTTP 503", at: time)
        #expect(journal.outcomes == OutcomeCounts([.notAttempted: 1]))
        #expect(journal.nextBatch?.records.map(\.state) == [.waiting])
    }

    @Test("If writing a batch failed, it is written again with newer records")
    func ifWritingABatchFailedItIsWrittenAgainWithNewerRecords() throws {
        var journal = journal(left: 9)
        journal.note(verdict(.ended(.rejected), of: 1..<2), on: .fcm, detail: "", at: time)
        _ = try #require(journal.nextBatch)
        journal.note(verdict(.ended(.accepted), of: 2..<3), on: .fcm, detail: "", at: time)
        #expect(journal.unwrittenCount == 2)
        #expect(journal.nextBatch?.records.map(\.number) == [1, 2])
    }

    @Test("Batches stay within the limit, and each request is counted once")
    func batchesStayWithinTheLimitAndEachRequestIsCountedOnce() throws {
        let limit = OutcomeJournal.batchLimit
        var journal = journal(left: limit + 7)
        journal.note(
            verdict(.ended(.accepted), of: 1..<(limit + 8)), on: .apns, detail: "", at: time)
        journal.noteRequests(40)
        var written: [Int] = []
        var sizes: [Int] = []
        var requests = 0
        while let batch = journal.nextBatch {
            written += batch.records.map(\.number)
            sizes.append(batch.records.count)
            requests += batch.requests
            journal.wrote(batch)
        }
        #expect(sizes == [limit, 7])
        #expect(written == Array(1..<(limit + 8)))
        #expect(requests == 40)
    }

    @Test("The number of requests is written even without an outcome")
    func numberOfRequestsIsWrittenEvenWithoutAnOutcome() {
        var journal = journal(left: 1)
        journal.noteRequests(2)
        #expect(journal.nextBatch?.records == [])
        #expect(journal.nextBatch?.requests == 2)
    }

    @Test("Skips that the ledger has recorded are not written again")
    func skipsThatTheLedgerHasRecordedAreNotWrittenAgain() {
        var journal = journal(left: 5)
        journal.noteSkipped(2)
        #expect(journal.outcomes == OutcomeCounts([.skipped: 2, .notAttempted: 3]))
        #expect(journal.nextBatch?.requests == nil)
    }
}
