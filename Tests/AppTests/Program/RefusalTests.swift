import CampaignFormat
import Files
import Glibc
import ProcessControl
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RefusalTests {
    @Test func aListNamesFiveAndSaysHowManyMoreThereAre() {
        let lines = Refused.lines(Array(1...7)) { "hubsend run \($0).yaml" }
            .split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.first == "  hubsend run 1.yaml")
        #expect(lines.last == "  and 2 more")
        #expect(Refused.lines(Array(1...5)) { "\($0)" }.split(separator: "\n").count == 5)
    }

    @Test func aFileOfAnotherUserIsRefusedWithTheCommandAsThatUser() {
        let owner = SystemUser(0)
        let error = StoreError.ownedByAnother(.store(path: "/s/store.sqlite"), owner)
        let refused = Refused(for: error)
        #expect(refused.sentence == "\(error) The same command as \(owner):")
        #expect(refused.details == "  \(Invocation.current().command(as: owner))\n")
    }

    @Test func anErrorOfALibraryIsABugAndShownWithItsWordsButWithoutSecrets() {
        struct Foreign: Error, CustomStringConvertible {
            let description = "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlYQ failed"
        }
        let refused = Refused(for: Foreign())
        #expect(refused.status == .bug)
        #expect(
            refused.sentence.hasSuffix("an unforeseen Foreign: \(Redaction.text("\(Foreign())"))"))
        #expect(!refused.sentence.contains("c2lnbmF0dXJlYQ"))
    }

    @Test func aSearchThatPassedNothingOverSaysNothingOfIt() {
        let search = CampaignSearch(["a"])
        let found = Refused.noCampaign(in: search).sentence
        #expect(found.hasSuffix("have the key \"campaign\"."))
        let passed = Refused.noCampaign(in: search, passedOver: "1 file passed over").sentence
        #expect(passed.hasSuffix("1 file passed over (--verbose names them)."))
    }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG])
    func aFileForWhichThereIsNoRoomIsToldFromOtherFaults(number: Int32) {
        let fault = Refused.unwritable("/r/report.csv", SystemFault(number: number))
        #expect(fault.status == .tryAgain)
        #expect(fault.sentence.hasPrefix("The file /r/report.csv cannot be written: "))
        #expect(fault.sentence.hasSuffix(" Make room, then have it written again."))
        let other = Refused.unwritable("/r/report.csv", SystemFault(number: EACCES))
        #expect(other.status == .configuration)
        #expect(
            other.sentence == "The file /r/report.csv cannot be written: permission denied.")
    }
}
