import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Reports

@Suite(.bounded) struct ReachTextTests {
    private let all = ReachEstimate(
        people: 10_000, asked: 10_000, platforms: [.apns, .fcm],
        found: [.apns: 6_000, .fcm: 9_000],
        without: 312)
    private let sample = ReachEstimate(
        people: 10_000, asked: 200, platforms: [.apns], found: [.apns: 150], without: 50)

    @Test func ofAllTheNumbersAreExact() {
        #expect(
            ReachText(all).lines() == [
                "Devices at the hub, of all 10,000 people:",
                "  apns          6,000  60.0 %",
                "  fcm           9,000  90.0 %",
                "  none of them    312   3.1 %",
            ])
        #expect(ReachText(all).warning == "312 names have no device on any platform")
    }

    @Test func aSampleIsToldWithItsBounds() {
        let lines = ReachText(sample).lines()
        #expect(
            lines[0]
                == "Devices at the hub, from a sample of 200 of 10,000 people, with bounds of 95 percent:"
        )
        #expect(lines[1].hasPrefix("  apns          about 7,500  75.0 %  6,"))
        #expect(
            ReachText(sample).warning?.hasPrefix(
                "about 2,500 names have no device on any platform (") == true)
    }

    @Test func whereEverybodyHasADeviceNothingIsUnusual() {
        let reach = ReachEstimate(
            people: 3, asked: 3, platforms: [.apns], found: [.apns: 3], without: 0)
        #expect(ReachText(reach).warning == nil)
        let one = ReachEstimate(
            people: 3, asked: 3, platforms: [.apns], found: [.apns: 2], without: 1)
        #expect(ReachText(one).warning == "1 name has no device on any platform")
    }

    @Test func theObjectCountsPeople() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(ReachJSON(all)), as: UTF8.self)
        #expect(
            json
                == #"{"asked":10000,"people":10000,"platforms":["#
                + #"{"at_least":6000,"at_most":6000,"people":6000,"platform":"apns"},"#
                + #"{"at_least":9000,"at_most":9000,"people":9000,"platform":"fcm"}],"#
                + #""without":{"at_least":312,"at_most":312,"people":312}}"#)
    }
}
