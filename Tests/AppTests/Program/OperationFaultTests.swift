import Files
import Glibc
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct OperationFaultTests {
    @Test func aFolderNamesFiveOfItsCampaignsAsCommandsThatCanBeTyped() {
        let commands = (1...7).map { "hubsend run 'all of them/\($0).yaml'" }
        let fault = OperationFault.folder("all of them", commands: commands)
        let lines = fault.details.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.first == "  hubsend run 'all of them/1.yaml'")
        #expect(lines.last == "  and 2 more")
    }

    @Test func aFaultWithoutAChoiceHasNoLinesBelow() {
        let fault = OperationFault.noSuchCampaign("spring")
        #expect(fault.details.isEmpty)
        #expect(fault.description.contains("spring"))
    }

    @Test func aSearchThatPassedNothingOverSaysNothingOfIt() {
        let found = OperationFault.noCampaign(searched: "a", passedOver: nil).description
        #expect(found.hasSuffix("have the key \"campaign\"."))
        let passed = OperationFault.noCampaign(searched: "a", passedOver: "1 file passed over")
        #expect(passed.description.hasSuffix("1 file passed over (--verbose names them)."))
    }

    @Test(arguments: [ENOSPC, EDQUOT, EFBIG])
    func aFileForWhichThereIsNoRoomIsToldFromOtherFaults(number: Int32) {
        let fault = OperationFault.unwritable("/r/report.csv", SystemFault(number: number))
        guard case .noRoom = fault else {
            Issue.record("\(fault)")
            return
        }
        #expect(fault.description.hasPrefix("The file /r/report.csv cannot be written: "))
        #expect(fault.description.hasSuffix(" Make room, then have it written again."))
        let other = OperationFault.unwritable("/r/report.csv", SystemFault(number: EACCES))
        #expect(
            other.description == "The file /r/report.csv cannot be written: permission denied.")
    }
}
