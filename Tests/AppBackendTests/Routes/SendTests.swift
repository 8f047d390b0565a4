import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import SQLiteDriver
import TestServing
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct SendTests {
    @Test(
        "A message is sent to a single user",
        arguments: [
            ("apns", #"{"aps":{"alert":"From sam: hi \"you\" <b> 🎉"}}"#),
            ("FCM", #"{"message":{"data":{"message":"From sam: hi \"you\" <b> 🎉"}}}"#),
            ("gcm", #"{"message":{"data":{"message":"From sam: hi \"you\" <b> 🎉"}}}"#),
            (
                "wns",
                #"<toast><visual><binding template="ToastText01"><text id="1">"#
                    + #"From sam: hi "you" &lt;b&gt; 🎉</text></binding></visual></toast>"#
            ),
        ])
    func messageIsSentToASingleUser(pns: String, body: String) async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(
            .post, "/api/notifications?pns=\(pns)&to_tag=alice", as: .sam,
            body: #""hi \"you\" <b> \ud83c\udf89""#)
        #expect(answer.status == .ok)
        let page = try #require(backend.sender.pages.first)
        #expect(backend.sender.pages.count == 1)
        #expect(page.pushes.map(\.usernames) == [[.alice]])
        #expect(page.body == body)
    }

    @Test("Only the senders in the config may send")
    func onlyTheSendersInTheConfigMaySend() async throws {
        let backend = try BackendUnderTest()
        for uri in ["/api/notifications?pns=apns&to_tag=alice", "/api/notifications"] {
            let answer = try await backend.request(.post, uri, as: .alice, body: "\"hi\"")
            #expect(answer.status == .forbidden)
        }
        #expect(backend.sender.pages.isEmpty)
    }

    @Test(
        "A malformed send request gets 400, and nothing is sent",
        arguments: [
            ("pns=apns&to_tag=a%20b", "\"hi\""), ("pns=apns&to_tag=a%7C%7Cb", "\"hi\""),
            ("pns=apns&to_tag=", "\"hi\""), ("pns=apns&to_tag=!alice", "\"hi\""),
            ("pns=mpns&to_tag=alice", "\"hi\""), ("pns=&to_tag=alice", "\"hi\""),
            ("pns=apns", "\"hi\""), ("to_tag=alice", "\"hi\""), ("pns=apns&to_tag=alice", "hi"),
            ("pns=apns&to_tag=alice", ""), ("pns=apns&to_tag=alice", "{\"a\":1}"),
            ("pns=apns&to_tag=alice", "\"\(String(repeating: "x", count: 4_096))\""),
            ("", "\"hi\""), ("", "{}"), ("", "{\"Payload\":1}"),
        ])
    func malformedSendRequestGets400AndNothingIsSent(query: String, body: String) async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(
            .post, "/api/notifications?\(query)", as: .sam, body: body)
        #expect(answer.status == .badRequest)
        #expect(backend.sender.pages.isEmpty)
    }

    @Test(
        "A message refused by the hub is reported",
        arguments: [
            (PushDisposition.rejected, 502), (.unknown, 502), (nil, 502), (.notSent, 503),
            (.retry(after: .seconds(3), cause: .throttled), 503), (.stop(.credentials), 503),
        ])
    func messageRefusedByTheHubIsReported(disposition: PushDisposition?, status: Int) async throws {
        let backend = try BackendUnderTest()
        backend.sender.answer(.apns, disposition)
        let answer = try await backend.request(
            .post, "/api/notifications?pns=apns&to_tag=alice", as: .sam, body: "\"hi\"")
        #expect(answer.status.code == status)
        #expect((answer.header("Retry-After") != nil) == (status == 503))
        #expect(try answer.json()["Message"] != nil)
    }

    @Test("A payload to oneself is stored, and the sender's devices are notified")
    func payloadToOneselfIsStoredAndTheSendersDevicesAreNotified() async throws {
        try await BackendUnderTest.run { backend in
            for (id, platform) in [("1", Platform.apns), ("2", .wns), ("3", .apns)] {
                try await backend.store.issue(id, to: .sam, handle: nil, at: backend.time.now())
                _ = try await backend.store.use(
                    id, of: .sam, platform: platform, handle: HandleDigest(of: id),
                    at: backend.time.now())
            }
            backend.sender.answer(.wns, .rejected)
            let answer = try await backend.request(
                .post, "/api/notifications", as: .sam, body: "{\"Payload\":\"my \\u0007 secret\"}")
            #expect(answer.status == .ok)
            let id = try #require(try answer.json()["Id"] as? String)
            #expect(backend.sender.pages.map(\.platform) == [.apns, .wns])
            #expect(
                backend.sender.pages.map(\.pushes).allSatisfy { $0.map(\.usernames) == [[.sam]] })
            #expect(
                backend.sender.pages.map(\.body) == [
                    "{\"aps\":{\"content-available\":1},\"secureId\":\"\(id)\"}", id,
                ])
            let fetched = try await backend.request(.get, "/api/notifications/\(id)", as: .sam)
            #expect(try fetched.json()["Payload"] as? String == "my \u{7} secret")
            let other = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
            #expect(other.status == .notFound)
            let run = try #require(
                try await backend.store.runs(campaign: "to-self", limit: 9).first)
            #expect(run.state == .finished && run.isRehearsal)
            let outcomes = try await backend.store.outcomes(run.id)
            #expect(outcomes[.accepted] == 1 && outcomes[.rejected] == 1)
        }
    }

    @Test("An interrupted send to oneself is completed at the next start")
    func interruptedSendToOneselfIsCompletedAtTheNextStart() async throws {
        let backend = try BackendUnderTest()
        let start = backend.time.now()
        var generator = SystemRandomNumberGenerator()
        let id = RunID.make(startingAt: start, using: &generator)
        let store = backend.store
        try await store.begin(
            RunRecord(
                id: id, campaign: "to-self", hub: backend.environment.hub,
                occurrence: .rehearsal(id), isRehearsal: true, state: .staging, kind: .secure,
                platforms: [.apns, .wns], isMessagePrivate: true, campaignPath: "",
                delivery: DeliveryPolicy(), fingerprints: [:], started: start,
                expires: start.addingTimeInterval(3_600)))
        try await store.store(
            NewNotification(
                id: .random(using: &generator), type: nil,
                content: .text("x", mediaType: "text/plain")), of: id)
        try await store.append([StagedRecipient(username: .sam)], to: id)
        try await store.finishStaging(id, counts: AudienceCounts(named: 1, final: 1))
        _ = try await store.claimNext(id, platform: .apns, limit: 1, cap: nil, at: start)
        await OwnRunRecovery(store: store, logger: BackendUnderTest.quiet)
            .finishRuns(at: start.addingTimeInterval(60))
        #expect(try await store.run(id)?.state == .finished)
        let outcomes = try await store.outcomes(id)
        #expect(outcomes[.unknown] == 1 && outcomes[.failed] == 1)
    }

    @Test("Sending a payload to oneself requires a registered device")
    func sendingAPayloadToOneselfRequiresARegisteredDevice() async throws {
        let backend = try BackendUnderTest()
        try await backend.store.issue("1", to: .sam, handle: nil, at: backend.time.now())
        let answer = try await backend.request(
            .post, "/api/notifications", as: .sam, body: "{\"Payload\":\"x\"}")
        #expect(answer.status == .conflict)
        #expect(try await backend.store.runs(campaign: nil, limit: 1).isEmpty)
    }
}
