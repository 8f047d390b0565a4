import FoundationEssentials
import TestSupport
import Testing

@testable import NotificationHubs

/// Every form of a send, as a complete request over a real socket.
@Suite(.bounded) struct SendFormTests {
    private func request<Value>(
        answering answer: ScriptedAnswer = .accepted,
        _ use: (NotificationHubClient) async throws -> Value
    ) async throws -> (request: ReceivedRequest, value: Value) {
        try await ScriptedHub.with(script: { _, _ in answer }) { hub in
            let value = try await NotificationHubClient.with(
                hub.connectionString(), now: { ManualClock(1_767_222_000).now }, use)
            #expect(hub.record.requests.count == 1)
            return (try #require(hub.record.requests.first), value)
        }
    }

    private func alice() throws -> TagExpression { TagExpression(try Tag("username:alice")) }

    @Test("A template push is a flat JSON object of strings")
    func templatePushIsAFlatJSONObjectOfStrings() async throws {
        let sent = try await request {
            try await $0.send(
                TemplateNotification(
                    properties: ["title": "a/b \"c\"", "id": "42"],
                    headers: ["apns-push-type": "background"]), to: alice())
        }

        #expect(sent.request.uri == "/news/messages/?api-version=2020-06")
        #expect(sent.request["ServiceBusNotification-Format"] == "template")
        #expect(sent.request["Content-Type"] == "application/json")
        #expect(sent.request["apns-push-type"] == "background")
        #expect(sent.request["ServiceBusNotification-Tags"] == "username:alice")
        #expect(
            String(decoding: sent.request.body, as: UTF8.self)
                == #"{"id":"42","title":"a/b \"c\""}"#)
        #expect(sent.value.messageID == "id-1")
    }

    @Test("Only a broadcast has no tags") func onlyABroadcastHasNoTags() async throws {
        let sent = try await request { try await $0.broadcast(.silent()) }

        #expect(sent.request.method == "POST")
        #expect(sent.request.uri == "/news/messages?api-version=2020-06")
        #expect(sent.request["ServiceBusNotification-Tags"] == nil)
        #expect(sent.request["ServiceBusNotification-Format"] == "apple")
        #expect(sent.request["apns-priority"] == "5")
    }

    @Test("A direct send specifies its device") func directSendSpecifiesItsDevice() async throws {
        let sent = try await request { try await $0.send(.silent(), to: DeviceHandle("ABCD")) }

        #expect(sent.request.uri == "/news/messages?api-version=2020-06&direct")
        #expect(sent.request["ServiceBusNotification-DeviceHandle"] == "ABCD")
        #expect(sent.request["ServiceBusNotification-Tags"] == nil)
        #expect(sent.request["P256DH"] == nil)
    }

    @Test("A direct send to a browser contains its keys")
    func directSendToABrowserContainsItsKeys() async throws {
        let sent = try await request {
            try await $0.send(
                .browser("hello"),
                to: .browser(endpoint: "https://push.example/a", p256dh: "key", auth: "secret"))
        }

        #expect(sent.request["ServiceBusNotification-DeviceHandle"] == "https://push.example/a")
        #expect(sent.request["P256DH"] == "key")
        #expect(sent.request["Auth"] == "secret")
    }

    @Test("A batch has two parts: the message and the devices")
    func batchHasTwoPartsTheMessageAndTheDevices() async throws {
        let sent = try await request {
            try await $0.send(
                DirectBatch(
                    .fcmV1(#"{"message":{}}"#), to: [DeviceHandle("A/1"), DeviceHandle("B")]))
        }

        #expect(sent.request.uri == "/news/messages/$batch?api-version=2020-06&direct")
        #expect(sent.request["Content-Type"] == "multipart/mixed; boundary=\"nh-batch-0\"")
        #expect(sent.request["ServiceBusNotification-Format"] == "fcmv1")
        let lines = [
            "--nh-batch-0", "Content-Type: application/json",
            "Content-Disposition: inline; name=notification", "", #"{"message":{}}"#,
            "--nh-batch-0", "Content-Type: application/json; charset=utf-8",
            "Content-Disposition: inline; name=devices", "", #"["A/1","B"]"#,
            "--nh-batch-0--", "",
        ]
        #expect(
            String(decoding: sent.request.body, as: UTF8.self)
                == lines.joined(separator: "\r\n"))
    }

    @Test("An invalid batch is refused before it is sent")
    func invalidBatchIsRefusedBeforeItIsSent() throws {
        let handle = try DeviceHandle("A")
        let message = try NativeNotification.silent()
        let browser = try DeviceHandle.browser(endpoint: "e", p256dh: "p", auth: "a")

        #expect(throws: NotificationError.noHandles) { try DirectBatch(message, to: []) }
        #expect(throws: NotificationError.tooManyHandles) {
            try DirectBatch(message, to: Array(repeating: handle, count: 1_001))
        }
        #expect(throws: NotificationError.browserInBatch) {
            try DirectBatch(message, to: [browser])
        }
        #expect(try DirectBatch(message, to: Array(repeating: handle, count: 1_000)).count == 1_000)
    }

    @Test("A batch can contain a thousand Apple device tokens")
    func batchCanContainAThousandAppleDeviceTokens() throws {
        let token = try DeviceHandle(String(repeating: "5F1C", count: 16))
        let batch = try DirectBatch(
            .silent(), to: Array(repeating: token, count: DirectBatch.handleLimit))

        #expect(batch.count == 1_000)
        // This is above the limit of any other send.
        #expect(batch.body.count > NativeNotification.bodyLimit)
    }

    @Test("A multipart boundary never occurs in its parts")
    func multipartBoundaryNeverOccursInItsParts() throws {
        let batch = try DirectBatch(.fcmV1("--nh-batch-0 --nh-batch-1"), to: [DeviceHandle("A")])

        #expect(batch.boundary == "nh-batch-2")
    }

    @Test(
        "A device handle consists of printable ASCII",
        arguments: ["", " a", "a\r\nb", "ä", String(repeating: "h", count: 4_097)])
    func deviceHandleConsistsOfPrintableASCII(text: String) {
        #expect(throws: NotificationError.invalidHandle) { try DeviceHandle(text) }
        #expect(throws: NotificationError.invalidHandle) {
            try DeviceHandle.browser(endpoint: "e", p256dh: "p", auth: text)
        }
    }

    @Test("A scheduled time is written in UTC without a zone")
    func scheduledTimeIsWrittenInUTCWithoutAZone() async throws {
        let id = "7_20260101_QNHQueue1-S5"
        let answer = ScriptedAnswer.status(
            201, [("Location", "https://h/news/schedulednotifications/\(id)?api-version=x")])
        let sent = try await request(answering: answer) {
            try await $0.schedule(
                .silent(), to: alice(), at: Date(timeIntervalSince1970: 1_767_225_600.9))
        }

        #expect(sent.request.uri == "/news/schedulednotifications?api-version=2020-06")
        #expect(sent.request["ServiceBusNotification-ScheduleTime"] == "2026-01-01T00:00:00")
        #expect(sent.request["ServiceBusNotification-Tags"] == "username:alice")
        #expect(sent.value.messageID == id)
    }

    @Test("A template broadcast can be scheduled")
    func templateBroadcastCanBeScheduled() async throws {
        let sent = try await request {
            try await $0.scheduleBroadcast(
                TemplateNotification(properties: ["a": "b"]),
                at: Date(timeIntervalSince1970: 1_767_225_600))
        }

        #expect(sent.request["ServiceBusNotification-Tags"] == nil)
        #expect(sent.request["ServiceBusNotification-Format"] == "template")
        #expect(sent.request["ServiceBusNotification-ScheduleTime"] == "2026-01-01T00:00:00")
    }

    @Test("A push cannot be scheduled more than seven days ahead")
    func pushCannotBeScheduledMoreThanSevenDaysAhead() async throws {
        let now = 1_767_222_000.0
        try await NotificationHubClient.with(now: { ManualClock(now).now }) { client, hub in
            let week = Date(timeIntervalSince1970: now + 7 * 86_400)
            let error = await #expect(throws: HubError.self) {
                try await client.schedule(.silent(), to: alice(), at: week.addingTimeInterval(1))
            }

            #expect(error?.disposition == .rejected)
            #expect(hub.record.requests.isEmpty)
            _ = try await client.schedule(.silent(), to: alice(), at: week)
            #expect(hub.record.requests.count == 1)
        }
    }

    @Test("Cancelling a scheduled push reports whether it still existed")
    func cancellingAScheduledPushReportsWhetherItStillExisted() async throws {
        let gone = try await request(answering: .status(404)) {
            try await $0.cancelScheduled(id: "7_1_QNHQueue1-S5")
        }
        let cancelled = try await request(answering: .status(200)) {
            try await $0.cancelScheduled(id: "a b")
        }

        #expect(gone.value == .alreadyGone)
        #expect(cancelled.value == .cancelled)
        #expect(gone.request.method == "DELETE")
        #expect(
            gone.request.uri
                == "/news/schedulednotifications/7_1_QNHQueue1-S5?api-version=2020-06")
        #expect(cancelled.request.uri == "/news/schedulednotifications/a%20b?api-version=2020-06")
    }

    @Test("Factory methods set the headers that each push service needs")
    func factoryMethodsSetTheHeadersThatEachPushServiceNeeds() throws {
        let toast = try NativeNotification.windowsPhone("<a/>", kind: .toast)
        let raw = try NativeNotification.windowsRaw([1])

        #expect(toast.headers == ["X-WindowsPhone-Target": "toast", "X-NotificationClass": "2"])
        #expect(
            try NativeNotification.windowsPhone("<a/>", kind: .tile).headers
                == ["X-WindowsPhone-Target": "token", "X-NotificationClass": "1"])
        #expect(
            try NativeNotification.windowsPhone("a", kind: .raw).headers
                == ["X-NotificationClass": "3"])
        #expect(raw.headers == ["X-WNS-Type": "wns/raw"])
        #expect(raw.contentType == "application/octet-stream")
        #expect(
            try NativeNotification.baidu("{}", messageType: 1).headers
                == ["X-Baidu-Message-Type": "1"])
        #expect(try NativeNotification.adm("{}").format == .adm)
        #expect(try NativeNotification.xiaomi("{}").format == .xiaomi)
        #expect(
            try NativeNotification.appleBackground("{}").headers
                == ["apns-push-type": "background", "apns-priority": "5"])
    }
}
