import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubAnswerTests {
    private func answer(_ headers: HTTPHeaders) -> HubAnswer {
        HubAnswer(status: 201, headers: headers, body: [])
    }

    @Test(
        "The message ID is the last segment of Location",
        arguments: [
            ("https://host/hub/messages/7362-2018-33-18?api-version=2020-06", "7362-2018-33-18"),
            ("https://host/hub/messages/$batch/abc?api-version=2020-06&direct", "abc"),
            ("/hub/messages/abc", "abc"), ("https://host/hub/messages/abc#x", "abc"),
            ("https://host/hub/messages/", nil), ("abc", nil), ("", nil),
            ("/hub/messages/a b", nil),
            ("/hub/messages/ä", nil), ("/" + String(repeating: "a", count: 201), nil),
        ])
    func messageIDIsTheLastSegmentOfLocation(location: String, id: String?) {
        #expect(answer(["Location": location]).locationID == id)
    }

    @Test("A response does not need a Location") func responseDoesNotNeedALocation() {
        #expect(answer([:]).locationID == nil)
    }

    @Test("An ID with control characters is ignored") func idWithControlCharactersIsIgnored() {
        #expect(answer(["TrackingId": "a\u{1B}b"]).trackingID == nil)
        #expect(answer(["trackingid": "a-b_G1"]).trackingID == "a-b_G1")
    }
}
