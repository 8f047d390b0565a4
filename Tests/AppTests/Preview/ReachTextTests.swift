import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct ReachTextTests {
    private let all = ReachEstimate(
        people: 10_000, asked: 10_000, platforms: [.apns, .fcm],
        found: [.apns: 6_000, .fcm: 9_000],
        without: 312)
    private let sample = ReachEstimate(
        people: 10_000, asked: 200, platforms: [.apns], found: [.apns: 150], without: 50)

    @Test("The numbers for a whole audience are shown as exact")
    func numbersForAWholeAudienceAreShownAsExact() {
        #expect(ReachText(all).summary == "6,000 on apns, 9,000 on fcm; according to the hub")
        #expect(ReachText(all).withoutDevice == "312 people have no device on any platform")
        let one = ReachEstimate(
            people: 3, asked: 3, platforms: [.apns], found: [.apns: 2], without: 1)
        #expect(ReachText(one).withoutDevice == "1 person has no device on any platform")
    }

    @Test("The numbers from a sample are shown with bounds")
    func numbersFromASampleAreShownWithBounds() {
        let summary = ReachText(sample).summary
        #expect(summary.hasPrefix("about 7,500 (6,8"))
        #expect(
            summary.hasSuffix(") on apns; from a sample of 200, with 95 percent confidence"))
        let without = ReachText(sample).withoutDevice
        #expect(without.hasPrefix("about 2,500 people have no device on any platform (1,"))
        #expect(without.hasSuffix(", from a sample of 200)"))
    }

    @Test("The JSON object contains the numbers of people")
    func jsonObjectContainsTheNumbersOfPeople() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(ReachJSON.object(all)), as: UTF8.self)
        #expect(
            json
                == #"{"asked":10000,"people":10000,"platforms":["#
                + #"{"at_least":6000,"at_most":6000,"people":6000,"platform":"apns"},"#
                + #"{"at_least":9000,"at_most":9000,"people":9000,"platform":"fcm"}],"#
                + #""without":{"at_least":312,"at_most":312,"people":312}}"#)
    }

    @Test("Every preview format shows the reach") func everyPreviewFormatShowsTheReach() throws {
        var model = try PreviewSamples.rich()
        model.reach = all
        model.remarks.insert(.withoutDevice(all), at: 0)
        let text = PreviewDocument(model: model).text()
        #expect(text.contains("6,000 on apns, 9,000 on fcm; according to the hub"), "\(text)")
        #expect(text.contains("312 people have no device on any platform"), "\(text)")
        let html = PreviewPage([.campaign(model)], made: Date(timeIntervalSince1970: 0)).html()
        #expect(html.contains("6,000 on apns"))
        #expect(
            PreviewMarkdown([.campaign(model)], showsRequests: false).text().contains(
                "6,000 on apns"))
        let json = String(decoding: try PreviewJSON.object(model).line(), as: UTF8.self)
        #expect(json.contains(#""reach":{"asked":10000,"#))
        #expect(json.contains(#""id":"without_device""#))
    }
}
