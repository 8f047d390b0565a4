import CampaignFormat
import Files
import Glibc
import ProcessControl
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RefusalTests {
    @Test("A list shows five items and counts the others")
    func listShowsFiveItemsAndCountsTheOthers() {
        let lines = Refused.lines(Array(1...7)) { "hubsend run \($0).yaml" }
            .split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.first == "  hubsend run 1.yaml")
        #expect(lines.last == "  and 2 more")
        #expect(Refused.lines(Array(1...5)) { "\($0)" }.split(separator: "\n").count == 5)
    }

    @Test("Another user's file is refused, and the command to run as them is suggested")
    func anotherUsersFileIsRefusedAndTheCommandToRunAsThemIsSuggested() {
        let owner = SystemUser(0)
        let error = StoreError.ownedByAnother(.store(path: "/s/store.sqlite"), owner)
        let refused = Refused(for: error)
        #expect(refused.sentence == "\(error) Run the command as \(owner):")
        #expect(refused.details == "  \(Invocation.current().command(as: owner))\n")
    }

    @Test("An unexpected error is reported as a bug, without secrets")
    func unexpectedErrorIsReportedAsABugWithoutSecrets() {
        struct Foreign: Error, CustomStringConvertible {
            let description = "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlYQ failed"
        }
        let refused = Refused(for: Foreign())
        #expect(refused.status == .bug)
        #expect(
            refused.sentence.hasSuffix("unexpected Foreign: \(Redaction.text("\(Foreign())"))"))
        #expect(!refused.sentence.contains("c2lnbmF0dXJlYQ"))
    }

    @Test("If a search skipped no files, skipped files are not mentioned")
    func ifASearchSkippedNoFilesSkippedFilesAreNotMentioned() {
        let search = CampaignSearch(["a"])
        let found = Refused.noCampaign(in: search).sentence
        #expect(found.hasSuffix("have the key \"campaign\"."))
        let passed = Refused.noCampaign(in: search, skipped: "1 file skipped").sentence
        #expect(passed.hasSuffix("1 file skipped (--verbose lists them)."))
    }

    @Test(
        "A full disk is distinguished from other errors while writing",
        arguments: [ENOSPC, EDQUOT, EFBIG])
    func fullDiskIsDistinguishedFromOtherErrorsWhileWriting(number: Int32) {
        let fault = Refused.unwritable("/r/report.csv", SystemError(number: number))
        #expect(fault.status == .tryAgain)
        #expect(fault.sentence.hasPrefix("The file /r/report.csv cannot be written: "))
        #expect(fault.sentence.hasSuffix(" Free some space and try again."))
        let other = Refused.unwritable("/r/report.csv", SystemError(number: EACCES))
        #expect(other.status == .configuration)
        #expect(
            other.sentence == "The file /r/report.csv cannot be written: permission denied.")
    }
}
