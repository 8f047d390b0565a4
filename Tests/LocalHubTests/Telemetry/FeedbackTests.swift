import Foundation
import HTTPTypes
import HummingbirdCore
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct FeedbackTests {
    @Test("The feedback address lists expired handles")
    func feedbackAddressListsExpiredHandles() async throws {
        let hub = try HubUnderTest { $0.faults = [FaultRule(.wrongTokens)] }
        let response = try await hub.request(.get, "/hubsend/FeedbackContainer/?api-version=x")
        #expect(response.status == .ok)
        #expect(response.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(response.text == "http://localhost/.hubsend/feedback/hubsend")
        let send = try await hub.direct("A&B", #"{"message":{}}"#, format: "fcmv1")
        let id = try #require(send.locationID)
        let page = try await hub.request(.get, "/.hubsend/feedback/hubsend", token: nil)
        #expect(page.status == .ok)
        #expect(
            page.text
                == "<PnsFeedback xmlns=\"http://schemas.microsoft.com/netservices/2010/10/"
                + "servicebus/connect\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
                + "<FeedbackTime>2025-12-31T23:00:00Z</FeedbackTime>"
                + "<NotificationSystemError>WrongToken</NotificationSystemError>"
                + "<Platform>fcmv1</Platform><PnsHandle>A&amp;B</PnsHandle>"
                + "<NotificationId>\(id)</NotificationId></PnsFeedback>\n")
    }

    @Test("Feedback is empty for a new hub and missing for an unknown hub")
    func feedbackIsEmptyForANewHubAndMissingForAnUnknownHub() async throws {
        let hub = try HubUnderTest()
        let empty = try await hub.request(.get, "/.hubsend/feedback/hubsend", token: nil)
        #expect(empty.status == .ok)
        #expect(empty.text.isEmpty)
        for path in ["/.hubsend/feedback/other", "/.hubsend/feedback", "/.hubsend/feedback/a/b"] {
            #expect(try await hub.request(.get, path, token: nil).status == .notFound)
        }
        let posted = try await hub.change(.post, "/.hubsend/feedback/hubsend")
        #expect(posted.status == .methodNotAllowed)
    }

    @Test("A foreign host cannot read feedback") func foreignHostCannotReadFeedback() throws {
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "evil.example",
            path: "/.hubsend/feedback/hubsend")
        guard
            case .response(let response) = try Hub(LocalHubConfiguration()).answer(
                head, body: [], isPeerLocal: true)
        else {
            Issue.record("there was no response")
            return
        }
        #expect(response.status == .forbidden)
    }

    @Test("Only the newest feedback is kept") func onlyTheNewestFeedbackIsKept() {
        var limits = LocalHubLimits()
        limits.feedback = 3
        var log = FeedbackLog(limits: limits)
        for number in 1...8 {
            let device = DeviceAddress(platform: .apns, handle: "\(number)")
            let wrong = PushResult(
                target: PushTarget(device: device, registration: nil),
                refusal: .expiredAddress(on: .apns))
            log.add(wrong, of: "n", at: HubUnderTest.now)
            let fine = PushResult(target: wrong.target, refusal: nil)
            log.add(fine, of: "n", at: HubUnderTest.now)
        }
        #expect(log.entries.map(\.device.handle) == ["6", "7", "8"])
    }
}
