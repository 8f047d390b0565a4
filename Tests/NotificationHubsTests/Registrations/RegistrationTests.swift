import LocalHub
import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct RegistrationTests {
    static let channels: [DeviceChannel] = [
        .apple(deviceToken: "AB12"), .fcmV1(registrationID: "f"), .gcm(registrationID: "g"),
        .windows(channelURI: "https://w/?a=1&b=2", secondaryTile: "t"), .windows(channelURI: "w"),
        .windowsPhone(channelURI: "m"), .adm(registrationID: "a"),
        .baidu(userID: "u", channelID: "c"),
        .browser(endpoint: "https://e", p256dh: "p", auth: "s"), .xiaomi(registrationID: "x"),
    ]

    private static let template = RegistrationTemplate(
        body: #"{"a":"$(b) ]]> <é>"}"#, name: "news",
        headers: [.init(name: "X-WNS-Type", value: "wns/raw")])

    @Test(
        "Every kind of registration is read back as it was written", arguments: channels,
        [false, true])
    func everyKindOfRegistrationIsReadBackAsItWasWritten(channel: DeviceChannel, isTemplate: Bool)
        async throws
    {
        try await AgainstLocalHub.with { client, _ in
            var registration = Registration(
                channel: channel, tags: ["a", "$UserId:{u}"], pushVariables: ["v": "\"&<"],
                template: isTemplate ? Self.template : nil)
            let id = try await client.createRegistrationID()
            let kept = try await client.put(registration, id: id)
            #expect(kept.id == id)
            #expect(kept.etag == "1")
            #expect(kept.expirationTime == nil)
            #expect(kept.channel == channel)
            #expect(kept.pushVariables == registration.pushVariables)
            #expect(kept.template?.body == registration.template?.body)
            #expect(kept.tags == ["a", "$UserId:{u}"])
            #expect(try await client.registration(id: id) == kept)

            registration = kept
            registration.tags = ["b"]
            let updated = try await client.update(registration)
            #expect(updated.etag == "2")
            _ = await #expect { try await client.update(registration) } throws: { error in
                (error as? HubError)?.status == 412
            }
            #expect(try await client.deleteRegistration(id: id, etag: updated.etag))
            #expect(try await !client.deleteRegistration(id: id))
            #expect(try await client.registration(id: id) == nil)
        }
    }

    @Test("A listing reads all pages") func listingReadsAllPages() async throws {
        try await AgainstLocalHub.with { client, _ in
            for number in 1...7 {
                let tags = number.isMultiple(of: 2) ? ["even"] : ["odd"]
                _ = try await client.create(
                    Registration(channel: .fcmV1(registrationID: "it's \(number)"), tags: tags))
            }
            var handles: [String] = []
            for try await registration in client.registrations(pageSize: 2) {
                handles.append(registration.channel.handle)
            }
            #expect(handles == (1...7).map { "it's \($0)" })
            handles = []
            for try await registration in client.registrations(tag: try Tag("even"), pageSize: 2) {
                handles.append(registration.channel.handle)
            }
            #expect(handles == ["it's 2", "it's 4", "it's 6"])
            handles = []
            for try await registration in client.registrations(handle: "it's 3") {
                handles.append(registration.channel.handle)
            }
            #expect(handles == ["it's 3"])
            let page = try await client.registrations(pageSize: 3).first { _ in true }
            #expect(page != nil)
        }
    }

    @Test("Listing without the right causes a credentials error")
    func listingWithoutTheRightCausesACredentialsError() async throws {
        try await AgainstLocalHub.with(rule: .developmentListen) { client, _ in
            _ = try await client.create(Registration(channel: .apple(deviceToken: "AB")))
            _ = await #expect { for try await _ in client.registrations() {} } throws: { error in
                (error as? HubError)?.disposition == .stop(.credentials)
            }
        }
    }

    @Test(
        "An invalid registration is not sent",
        arguments: [
            (Registration(channel: .apple(deviceToken: "")), RegistrationError.invalidHandle),
            (
                Registration(channel: .adm(registrationID: "a"), tags: ["$UserId:{a b}"]),
                .invalidTag
            ),
            (Registration(channel: .adm(registrationID: "a"), tags: ["a b"]), .invalidTag),
            (
                Registration(channel: .adm(registrationID: "a"), tags: (1...61).map { "t\($0)" }),
                .tooManyTags
            ),
            (Registration(channel: .adm(registrationID: "a\u{1}")), .unwritableCharacter),
            (Registration(channel: .unknown(name: "x")), .unknownChannel),
            (
                Registration(channel: .windows(channelURI: "w"), template: .init(body: "b")),
                .missingWNSType
            ),
            (
                Registration(
                    channel: .adm(registrationID: "a"),
                    template: .init(body: "b", name: String(repeating: "n", count: 201))),
                .templateNameTooLong
            ),
        ])
    func invalidRegistrationIsNotSent(
        registration: Registration, error: RegistrationError
    ) async throws {
        try await NotificationHubClient.with(answering: .status(200)) { client, hub in
            let create = await #expect(throws: HubError.self) {
                try await client.create(registration)
            }
            #expect(create?.cause == .invalidRegistration(error))
            #expect(create.map { "\($0)".contains(error.description) } == true)
            let read = await #expect(throws: HubError.self) {
                try await client.registration(id: "a/b")
            }
            #expect(read?.cause == .invalidRegistration(.invalidID))
            let update = await #expect(throws: HubError.self) {
                try await client.update(registration)
            }
            #expect(update?.cause == .invalidRegistration(.notKept))
            #expect(hub.record.requests.isEmpty)
        }
    }

    @Test("A listing can continue where another listing stopped")
    func listingCanContinueWhereAnotherListingStopped() async throws {
        try await AgainstLocalHub.with { client, _ in
            for number in 1...5 {
                try await client.create(Registration(channel: .apple(deviceToken: "AA0\(number)")))
            }
            let first = try await client.registrations(pageSize: 2).page()
            #expect(first.registrations.map(\.channel.handle) == ["AA01", "AA02"])
            // As in another process, where only the text is known.
            let text = try #require(first.next?.text)
            let token = try #require(ListingToken(text))
            var rest: [String] = []
            for try await registration in client.registrations(pageSize: 2, from: token) {
                rest.append(registration.channel.handle)
            }
            #expect(rest == ["AA03", "AA04", "AA05"])
            let second = try await client.registrations(pageSize: 2).page(at: token)
            let last = try await client.registrations(pageSize: 2).page(at: second.next)
            #expect(last.registrations.map(\.channel.handle) == ["AA05"])
            #expect(last.next == nil)
        }
    }

    @Test("A printed page of a listing contains no handle and no token")
    func printedPageOfAListingContainsNoHandleAndNoToken() async throws {
        let feed = Self.feed.replacing(
            "NewRegistrationDescription>", with: "AppleRegistrationDescription>"
        ).replacing("</RegistrationId>", with: "</RegistrationId><DeviceToken>SECRET</DeviceToken>")
        try await answered(feed, headers: [("x-ms-continuationtoken", "SECRET")]) { client in
            let page = try await client.registrations().page()
            #expect(page.registrations.map(\.channel.handle) == ["SECRET"])
            for text in Secret.texts(of: page) { #expect(!text.contains("SECRET")) }
        }
    }

    private static let feed =
        "<feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><content><NewRegistrationDescription>"
        + "<RegistrationId>1</RegistrationId></NewRegistrationDescription></content></entry></feed>"

    @Test("A repeated continuation token ends the listing")
    func repeatedContinuationTokenEndsTheListing() async throws {
        try await NotificationHubClient.with(script: { number, _ in
            .status(200, [("x-ms-continuationtoken", "t\(number % 3)")], body: Self.feed)
        }) { client, hub in
            var count = 0
            _ = await #expect(throws: HubError.self) {
                for try await registration in client.registrations() {
                    count += 1
                    #expect(registration.channel == .unknown(name: "NewRegistrationDescription"))
                }
            }
            #expect(count == 3)
            #expect(hub.record.requests.count == 4)
        }
    }

    @Test("An encoded continuation token is returned unchanged")
    func encodedContinuationTokenIsReturnedUnchanged() async throws {
        try await NotificationHubClient.with(script: { number, _ in
            .status(
                200, number == 0 ? [("x-ms-continuationtoken", "MzEobik7Mg%3D%3D")] : [],
                body: Self.feed)
        }) { client, hub in
            for try await _ in client.registrations(pageSize: 5) {}
            #expect(
                hub.record.requests.map(\.uri) == [
                    "/news/registrations?api-version=2020-06&$top=5",
                    "/news/registrations?api-version=2020-06&$top=5"
                        + "&continuationtoken=MzEobik7Mg%3D%3D",
                ])
        }
    }

    @Test(
        "A response that is not a feed causes an error",
        arguments: [
            "", "<feed", "no xml", "<entry/>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><feed>&b;</feed>",
            LongText("<feed>", times: 40, before: String(repeating: "</feed>", count: 40)),
            LongText("x", times: 4_300_000, after: "<feed>", before: "</feed>"),
        ])
    func responseThatIsNotAFeedCausesAnError(body: LongText) async throws {
        try await NotificationHubClient.with(
            answering: .status(200, body: body.text)
        ) { client, _ in
            _ = await #expect { for try await _ in client.registrations() {} } throws: {
                error in
                (error as? HubError)?.disposition == .stop(.notAHub)
            }
            _ = await #expect(throws: HubError.self) { try await client.registration(id: "1") }
        }
    }

    @Test(
        "A refused write has the right disposition",
        arguments: [
            (409, Disposition.rejected), (410, .rejected), (412, .rejected), (413, .rejected),
            (404, .rejected), (500, .retry(after: nil)), (429, .retry(after: nil)),
            (401, .stop(.credentials)), (302, .stop(.notAHub)),
        ])
    func refusedWriteHasTheRightDisposition(status: Int, disposition: Disposition) async throws {
        try await NotificationHubClient.with(script: { _, _ in
            .status(status, [("Location", "http://127.0.0.1:1/elsewhere")])
        }) { client, hub in
            let registration = Registration(channel: .apple(deviceToken: "SECRETHANDLE"))
            let error = await #expect(throws: HubError.self) {
                _ = try await client.put(registration, id: "1-2-3")
            }
            #expect(error?.disposition == disposition)
            #expect(error?.operation == "writing of a registration")
            #expect(error.map { "\($0)".contains("SECRETHANDLE") } == false)
            #expect(hub.record.requests.allSatisfy { $0.uri.hasPrefix("/news/") })
        }
    }

    @Test("No description contains a handle or a body") func noDescriptionContainsAHandleOrABody() {
        let template = RegistrationTemplate(body: "SECRET", name: "n")
        var installation = Installation(id: "i", channel: .apple(deviceToken: "SECRET"))
        installation.templates = ["n": InstallationTemplate(body: "SECRET")]
        installation.secondaryTiles = ["t": SecondaryTile(pushChannel: "SECRET")]
        let values: [Any] = [
            DeviceChannel.browser(endpoint: "SECRET", p256dh: "SECRET", auth: "SECRET"), template,
            Registration(channel: .apple(deviceToken: "SECRET"), tags: [], template: template),
            installation, InstallationTemplate(body: "SECRET"),
            SecondaryTile(pushChannel: "SECRET"),
            InstallationPatch.setPushChannel("SECRET"),
        ]
        for value in values {
            for text in Secret.texts(of: value) {
                #expect(!text.contains("SECRET"), "\(type(of: value))")
            }
        }
    }

    private func answered(
        _ body: String, headers: [(String, String)] = [],
        _ test: @escaping @Sendable (NotificationHubClient) async throws -> Void
    ) async throws {
        try await ScriptedHub.with(script: { _, _ in .status(200, headers, body: body) }) { hub in
            try await NotificationHubClient.with(hub.connectionString(), test)
        }
    }

    @Test("A missing hub is not mistaken for a missing registration")
    func missingHubIsNotMistakenForAMissingRegistration() async throws {
        let body =
            "<Error><Code>404</Code><Detail>No service is hosted at the specified address."
            + ".TrackingId:1</Detail></Error>"
        try await NotificationHubClient.with(answering: .status(404, body: body)) { client, _ in
            let read = await #expect(throws: HubError.self) {
                _ = try await client.registration(id: "1")
            }
            #expect(read?.disposition == .stop(.hubNotFound))
            let delete = await #expect(throws: HubError.self) {
                _ = try await client.deleteRegistration(id: "1")
            }
            #expect(delete?.disposition == .stop(.hubNotFound))
            let installation = await #expect(throws: HubError.self) {
                _ = try await client.installation(id: "1")
            }
            #expect(installation?.disposition == .stop(.hubNotFound))
        }
    }

    @Test("A conditional write is not retried") func conditionalWriteIsNotRetried() async throws {
        var kept = Registration(channel: .apple(deviceToken: "AB"))
        kept.id = "1-2-3"
        kept.etag = "1"
        let registration = kept
        try await NotificationHubClient.with(answering: .status(500)) { client, _ in
            let update = await #expect(throws: HubError.self) {
                _ = try await client.update(registration)
            }
            #expect(update?.disposition == .unknown)
            let delete = await #expect(throws: HubError.self) {
                _ = try await client.deleteRegistration(id: "1-2-3", etag: "1")
            }
            #expect(delete?.disposition == .unknown)
            let any = await #expect(throws: HubError.self) {
                _ = try await client.deleteRegistration(id: "1-2-3")
            }
            #expect(any?.disposition == .retry(after: nil))
        }
    }

    @Test("An unreadable entry causes an error and is not skipped")
    func unreadableEntryCausesAnErrorAndIsNotSkipped() async throws {
        let entry =
            "<entry><content><AppleRegistrationDescription><PushVariables>%@</PushVariables>"
            + "<DeviceToken>AB</DeviceToken></AppleRegistrationDescription></content></entry>"
        for variables in ["[1]", "{", "{\"a\":{}}"] {
            let body = "<feed>\(entry.replacing("%@", with: variables))</feed>"
            try await answered(body) { client in
                _ = await #expect(throws: HubError.self) {
                    for try await _ in client.registrations() {}
                }
            }
        }
        try await answered(
            "<feed>\(entry.replacing("%@", with: "{\"a\":null,\"b\":\"1\"}"))</feed>"
        ) {
            client in
            for try await registration in client.registrations() {
                #expect(registration.pushVariables == ["b": "1"])
            }
        }
        try await answered("<feed><entry><content/></entry></feed>") { client in
            _ = await #expect(throws: HubError.self) {
                for try await _ in client.registrations() {}
            }
        }
    }

    @Test("An oversized continuation token ends the listing")
    func oversizedContinuationTokenEndsTheListing() async throws {
        let token = String(repeating: "t", count: 5_000)
        try await answered(Self.feed, headers: [("x-ms-continuationtoken", token)]) { client in
            let error = await #expect(throws: HubError.self) {
                for try await _ in client.registrations() {}
            }
            #expect(error?.reason.contains("4096 bytes") == true)
        }
    }

    @Test("A registration ID with invisible characters is ignored")
    func registrationIDWithInvisibleCharactersIsIgnored() async throws {
        let body =
            "<feed><entry><content><AppleRegistrationDescription><RegistrationId>1\n\u{202E}2"
            + "</RegistrationId><DeviceToken>AB</DeviceToken></AppleRegistrationDescription>"
            + "</content></entry></feed>"
        try await answered(body) { client in
            for try await registration in client.registrations() { #expect(registration.id == nil) }
        }
    }

    @Test(
        "Markup characters are escaped next to combining marks",
        arguments: [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#13;")])
    func markupCharactersAreEscapedNextToCombiningMarks(sign: String, escaped: String) throws {
        for marked in JoiningMarks.around(sign) + [sign + "\n"] {
            let entry = try RegistrationEntry(
                Registration(channel: .apple(deviceToken: "a\(marked)b")))
            let expected = marked.unicodeScalars.map { scalar in
                String(scalar) == sign ? escaped : String(scalar)
            }.joined()
            #expect(entry.xml.utf8.contains("<DeviceToken>a\(expected)b</DeviceToken>".utf8))
        }
    }

    @Test("The end of a CDATA section is escaped next to combining marks")
    func endOfACDATASectionIsEscapedNextToCombiningMarks() throws {
        for marked in JoiningMarks.around("]]>") {
            let entry = try RegistrationEntry(
                Registration(
                    channel: .apple(deviceToken: "AB"),
                    template: RegistrationTemplate(body: marked)))
            #expect(entry.xml.utf8.contains("]]]]><![CDATA[>".utf8))
        }
    }

    /// Covers the order of the elements and every part of a template.
    @Test("A template's elements are written in the documented order")
    func templatesElementsAreWrittenInTheDocumentedOrder() async throws {
        let apple = Registration(
            channel: .apple(deviceToken: "AB"), tags: ["a"],
            template: RegistrationTemplate(
                body: "{\"a\":\"$(b)\"}", name: "n",
                headers: [.init(name: "apns-priority", value: "5")],
                expiry: "$(e)", priority: "5"))
        #expect(
            try RegistrationEntry(apple).xml.contains(
                "<Tags>a</Tags><DeviceToken>AB</DeviceToken>"
                    + "<BodyTemplate><![CDATA[{\"a\":\"$(b)\"}]]></BodyTemplate><Expiry>$(e)</Expiry>"
                    + "<TemplateName>n</TemplateName><Priority>5</Priority><ApnsHeaders><ApnsHeader>"
                    + "<Header>apns-priority</Header><Value>5</Value></ApnsHeader></ApnsHeaders>"
                    + "</AppleTemplateRegistrationDescription>"))
        let windows = Registration(
            channel: .windows(channelURI: "w"),
            template: RegistrationTemplate(
                body: "<toast/>", name: "n",
                headers: [.init(name: "X-WNS-Type", value: "wns/toast")]))
        #expect(
            try RegistrationEntry(windows).xml.contains(
                "<ChannelUri>w</ChannelUri><BodyTemplate><![CDATA[<toast/>]]></BodyTemplate><WnsHeaders>"
                    + "<WnsHeader><Header>X-WNS-Type</Header><Value>wns/toast</Value></WnsHeader>"
                    + "</WnsHeaders><TemplateName>n</TemplateName></Windows"))
        let baidu = Registration(
            channel: .baidu(userID: "u", channelID: "c"),
            template: RegistrationTemplate(body: "b", name: "n", messageType: "1"))
        #expect(
            try RegistrationEntry(baidu).xml.contains(
                "<BaiduUserId>u</BaiduUserId><BaiduChannelId>c</BaiduChannelId>"
                    + "<BodyTemplate><![CDATA[b]]></BodyTemplate><TemplateName>n</TemplateName>"
                    + "<MessageType>1</MessageType></Baidu"))
    }
}
