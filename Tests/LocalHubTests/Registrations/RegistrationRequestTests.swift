import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct RegistrationRequestTests {
    static func body(_ element: String, _ inner: String, tags: String = "a,b") -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"application/xml\"><\(element) "
            + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
            + "<Tags>\(tags)</Tags>\(inner)</\(element)></content></entry>"
    }

    static let apple = body("AppleRegistrationDescription", "<DeviceToken>ab12</DeviceToken>")

    private func entry(
        _ id: String, version: Int, _ kind: RegistrationKindFixture, host: String,
        isRead: Bool = false
    ) -> String {
        let url = "http://\(host)/hubsend/registrations/\(id)?api-version=2020-06"
        return "<entry a:etag=\"W/&quot;\(version)&quot;\" xmlns=\"http://www.w3.org/2005/Atom\" "
            + "xmlns:a=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
            + "<id>\(url)</id><title type=\"text\">\(id)</title>"
            + "<published>2025-12-31T23:00:00Z</published><updated>2025-12-31T23:00:00Z</updated>"
            + "<link rel=\"self\" href=\"\(url)\"/><content type=\"application/xml\">"
            + "<\(kind.element) "
            + "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\" "
            + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\"><ETag>\(version)</ETag>"
            + "<ExpirationTime>9999-12-31T23:59:59.999\(isRead ? "Z" : "")</ExpirationTime>"
            + "<RegistrationId>\(id)</RegistrationId><Tags>a,b</Tags>"
            + "\(kind.returned)</\(kind.element)></content></entry>"
    }

    @Test(arguments: RegistrationKindFixture.all)
    func everyKindIsWrittenReadAndChangedAsTheServiceDoes(kind: RegistrationKindFixture)
        async throws
    {
        try await HubUnderTest.run { hub in
            let uri = "/hubsend/registrations/123-234-1?api-version=2020-06"
            let put = try await hub.request(.put, uri, body: Self.body(kind.element, kind.sent))
            #expect(put.status == .ok)
            #expect(put.header("ETag") == "W/\"1\"")
            #expect(
                put.header("Content-Type") == "application/atom+xml; type=entry; charset=utf-8")
            #expect(put.text == entry("123-234-1", version: 1, kind, host: "localhost"))
            let again = try await hub.request(
                .put, uri, headers: ["If-Match": "W/\"1\""],
                body: Self.body(kind.element, kind.sent))
            #expect(again.text == entry("123-234-1", version: 2, kind, host: "localhost"))
            let read = try await hub.request(.get, uri)
            #expect(read.status == .ok)
            #expect(
                read.text
                    == entry("123-234-1", version: 2, kind, host: "localhost", isRead: true))
            #expect(read.header("ETag") == "W/\"2\"")
        }
    }

    @Test func theBaseTypeAndForeignPrefixesAreReadToo() async throws {
        try await HubUnderTest.run { hub in
            let body =
                "<?xml version=\"1.0\" encoding=\"utf-16\"?><x:entry xmlns:x=\"http://www.w3.org/"
                + "2005/Atom\"><x:content type=\"application/xml\"><RegistrationDescription "
                + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:type=\""
                + "AppleRegistrationDescription\" xmlns=\"http://schemas.microsoft.com/netservices/"
                + "2010/10/servicebus/connect\"><ETag i:nil=\"true\"/><RegistrationId i:nil="
                + "\"true\"/><Tags>ä</Tags><DeviceToken>AB</DeviceToken></RegistrationDescription>"
                + "</x:content></x:entry>"
            let refused = try await hub.request(.post, "/hubsend/registrations", body: body)
            #expect(refused.status == .badRequest)
            let taken = try await hub.request(
                .post, "/hubsend/registrations", body: body.replacing("ä", with: "a"))
            #expect(taken.status == .ok)
            #expect(taken.text.contains("<AppleRegistrationDescription xmlns="))
            let location = try #require(taken.header("Content-Location"))
            #expect(
                location.firstMatch(
                    of: /^http:\/\/localhost\/hubsend\/registrations\/[0-9]{19}-[0-9]{19}-1$/)
                    != nil)
        }
    }

    @Test func repeatedTagsCountOnceAndSpacesAreNoPartOfThem() async throws {
        try await HubUnderTest.run { hub in
            let repeated = Array(repeating: "a", count: 61) + ["b"]
            let body = Self.body(
                "AppleRegistrationDescription", "<DeviceToken>ab</DeviceToken>",
                tags: repeated.joined(separator: " , "))
            let response = try await hub.request(.post, "/hubsend/registrations", body: body)
            #expect(response.status == .ok)
            #expect(response.text.contains("<Tags>a,b</Tags>"))
        }
    }

    @Test func pushVariablesComeBackAsTheTextOfAJSONObject() async throws {
        try await HubUnderTest.run { hub in
            let body = Self.body(
                "AppleRegistrationDescription",
                "<PushVariables>{ \"b\": \"&lt;2&gt;\", \"a\": \"1\" }</PushVariables>"
                    + "<DeviceToken>ab</DeviceToken>")
            let response = try await hub.request(.post, "/hubsend/registrations", body: body)
            #expect(response.status == .ok)
            #expect(
                response.text.contains(
                    "</Tags><PushVariables>{\"a\":\"1\",\"b\":\"&lt;2&gt;\"}</PushVariables>"
                        + "<DeviceToken>AB</DeviceToken>"))
        }
    }

    @Test func anInstallationsRegistrationThatAClientChangesStaysTheInstallations() async throws {
        try await HubUnderTest.run { hub in
            _ = try await hub.install("i1")
            let list = "/hubsend/registrations"
            let text = try await hub.request(.get, list).text
            let match = try #require(text.firstMatch(of: /<RegistrationId>([^<]*)</))
            let put = try await hub.request(.put, "\(list)/\(match.output.1)", body: Self.apple)
            #expect(put.header("ETag") == "W/\"2\"")
            #expect(put.text.contains("<Tags>a,b</Tags>"))

            _ = try await hub.install("i1", tags: ["c"])
            let changed = try await hub.request(.get, list).text
            #expect(changed.ranges(of: "<entry ").count == 1)
            #expect(changed.contains("<Tags>$InstallationId:{i1},c</Tags>"))
            _ = try await hub.request(.delete, "/hubsend/installations/i1")
            #expect(try await !hub.request(.get, list).text.contains("<entry "))
        }
    }

    @Test func aNewIDIsGivenOutAsRecorded() async throws {
        try await HubUnderTest.run { hub in
            let response = try await hub.request(
                .post, "/hubsend/registrationIDs?api-version=2020-06")
            #expect(response.status == .created)
            #expect(response.text.isEmpty)
            let location = try #require(response.header("Location"))
            #expect(
                location.firstMatch(
                    of:
                        /^http:\/\/localhost\/hubsend\/registrationIDs\/[0-9]{19}-[0-9]{19}-1\?api-version=2020-06$/
                ) != nil)
        }
    }

    @Test func aConditionThatDoesNotHoldChangesNothing() async throws {
        try await HubUnderTest.run { hub in
            let uri = "/hubsend/registrations/1-2-3"
            let missing = try await hub.request(
                .put, uri, headers: ["If-Match": "*"], body: Self.apple)
            #expect(missing.status == .notFound)
            _ = try await hub.request(.put, uri, body: Self.apple)
            for stale in ["\"2\"", "W/\"2\"", "2", "x"] {
                let put = try await hub.request(
                    .put, uri, headers: ["If-Match": stale], body: Self.apple)
                #expect(put.status == .preconditionFailed)
                let delete = try await hub.request(.delete, uri, headers: ["If-Match": stale])
                #expect(delete.status == .preconditionFailed)
            }
            for fresh in ["\"1\"", "W/\"2\"", "3", "*"] {
                let put = try await hub.request(
                    .put, uri, headers: ["If-Match": fresh], body: Self.apple)
                #expect(put.status == .ok)
            }
            let deleted = try await hub.request(.delete, uri, headers: ["If-Match": "\"5\""])
            #expect(deleted.status == .ok)
            #expect(deleted.text.isEmpty)
            #expect(deleted.header("Content-Type") == nil)
            let gone = try await hub.request(.get, uri)
            #expect(gone.status == .notFound)
            #expect(gone.text.hasPrefix("<Error><Code>404</Code><Detail>.TrackingId:"))
            #expect(try await hub.request(.delete, uri).status == .notFound)
        }
    }

    @Test(arguments: [
        "", "no xml", "<entry/>", "<entry><content/></entry>", "<feed><content/></feed>",
        body("UnknownRegistrationDescription", ""),
        body("AppleRegistrationDescription", ""),
        body("AppleRegistrationDescription", "<DeviceToken>abc</DeviceToken>"),
        body("AppleRegistrationDescription", "<DeviceToken>xy</DeviceToken>"),
        body("AppleTemplateRegistrationDescription", "<DeviceToken>ab</DeviceToken>"),
        body(
            "WindowsTemplateRegistrationDescription",
            "<ChannelUri>w</ChannelUri><BodyTemplate>b</BodyTemplate>"),
        body("AppleRegistrationDescription", "<DeviceToken>ab</DeviceToken>", tags: "a b"),
        body(
            "AppleRegistrationDescription", "<DeviceToken>ab</DeviceToken>",
            tags: "$UserId:{a},$UserId:{b}"),
        body(
            "AppleRegistrationDescription", "<DeviceToken>ab</DeviceToken>",
            tags: (1...61).map { "t\($0)" }.joined(separator: ",")),
        body(
            "AppleRegistrationDescription",
            "<PushVariables>[]</PushVariables><DeviceToken>ab</DeviceToken>"),
        body(
            "GcmTemplateRegistrationDescription",
            "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>b</BodyTemplate><TemplateName>"
                + String(repeating: "n", count: 201) + "</TemplateName>"),
        "<!DOCTYPE entry [<!ENTITY a \"b\">]>" + apple,
        body(
            "AppleTemplateRegistrationDescription",
            "<DeviceToken>ab</DeviceToken><BodyTemplate>$(a</BodyTemplate>"),
        body(
            "AppleTemplateRegistrationDescription",
            "<DeviceToken>ab</DeviceToken><BodyTemplate>{}</BodyTemplate><Expiry>$(a</Expiry>"),
        body(
            "AppleTemplateRegistrationDescription",
            "<DeviceToken>ab</DeviceToken><BodyTemplate>{}</BodyTemplate><ApnsHeaders><ApnsHeader>"
                + "<Header>apns-topic</Header><Value>#()</Value></ApnsHeader></ApnsHeaders>"),
        body(
            "BaiduRegistrationDescription", "<BaiduUserId>u</BaiduUserId>"),
        body(
            "BrowserRegistrationDescription",
            "<Endpoint>https://e</Endpoint><P256DH>p</P256DH><Auth i:nil=\"1\">s</Auth>"),
        "<!--> <entry> --><!DOCTYPE entry [<!ENTITY a \"b\">]>" + apple,
        "<?xml version=\"1.0\"?> <!-- c --> <!DOCTYPE entry SYSTEM \"file:///etc/passwd\">" + apple,
        String(repeating: "<a>", count: 10_000),
        String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        "<entry>" + String(repeating: "<a/>", count: 3_000) + "</entry>",
    ])
    func aBodyThatIsNoRegistrationIs400AndChangesNothing(body: String) async throws {
        try await HubUnderTest.run { hub in
            let response = try await hub.request(.post, "/hubsend/registrations", body: body)
            #expect(response.status == .badRequest)
            #expect(response.text.hasPrefix("<Error><Code>400</Code><Detail>"))
            #expect(hub.server.counts.devices == 0)
        }
    }

    @Test(arguments: ["x", "1-2", "1-2-33", "a-b-1", "1-2-3-4", "--1"])
    func anIDOfAnotherFormIs400(id: String) async throws {
        try await HubUnderTest.run { hub in
            let response = try await hub.request(
                .put, "/hubsend/registrations/\(id)", body: Self.apple)
            #expect(response.status == .badRequest)
        }
    }

    @Test func aRegisteredDeviceIsReachedByItsTags() async throws {
        try await HubUnderTest.run { hub in
            let body = Self.body(
                "AppleRegistrationDescription", "<DeviceToken>ab12</DeviceToken>",
                tags: "username:alice,$UserId:{a}")
            _ = try await hub.request(.post, "/hubsend/registrations", body: body)
            _ = try await hub.send()
            _ = try await hub.send(tags: "$UserId:{a}")
            #expect(await hub.server.received(by: "alice").count == 2)
        }
    }

    @Test func singleRegistrationsNeedListenAndListsNeedManage() async throws {
        try await HubUnderTest.run { hub in
            let listen = TestToken.make(.developmentListen)
            let send = TestToken.make(.developmentSend)
            let uri = "/hubsend/registrations/1-2-3"
            #expect(
                try await hub.request(.put, uri, token: listen, body: Self.apple).status == .ok)
            #expect(try await hub.request(.get, uri, token: listen).status == .ok)
            #expect(try await hub.request(.get, uri, token: send).status == .forbidden)
            let byChannel = "/hubsend/registrations?$filter=ChannelUri+eq+%27AB12%27"
            #expect(try await hub.request(.get, byChannel, token: listen).status == .ok)
            for list in ["/hubsend/registrations", "/hubsend/tags/a/registrations"] {
                let refused = try await hub.request(.get, list, token: listen)
                #expect(refused.status == .forbidden)
                #expect(refused.text.isEmpty)
            }
        }
    }

    /// The tags of an installation's template registration include its name, even one that is not a valid tag.
    @Test(arguments: ["My Template", String(repeating: "n", count: 150), "größer"])
    func aTemplateKeepsTheTagsThatWereSent(name: String) async throws {
        let tags = (1...60).map { "t\($0)" }.joined(separator: ",")
        let inner =
            "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{}</BodyTemplate>"
            + "<TemplateName>\(name)</TemplateName>"
        let element = "GcmTemplateRegistrationDescription"
        try await HubUnderTest.run { hub in
            let uri = "/hubsend/registrations/123-234-1"
            let put = try await hub.request(
                .put, uri, body: Self.body(element, inner, tags: tags))
            #expect(put.text.contains("<Tags>\(tags)</Tags>"))
            let again = try await hub.request(
                .put, uri, body: Self.body(element, inner, tags: "\(tags),\(name)"))
            #expect(again.status == .ok)
            #expect(again.text.contains("<Tags>\(tags),\(name)</Tags>"))
        }
    }

    @Test func theNameOfATemplateIsNoTagOfItsRegistration() async throws {
        let inner =
            "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{\"data\":{}}</BodyTemplate>"
            + "<TemplateName>news,today</TemplateName>"
        let body = Self.body("GcmTemplateRegistrationDescription", inner, tags: "t")
        try await HubUnderTest.run { hub in
            let uri = "/hubsend/registrations/123-234-1"
            let untagged = body.replacing("<Tags>t</Tags>", with: "").replacing(",today", with: "")
            let put = try await hub.request(.put, uri, body: untagged)
            #expect(put.status == .ok)
            #expect(!put.text.contains("<Tags>"))
            _ = try await hub.send(#"{"a":"b"}"#, format: "template", tags: "news")
            #expect(hub.server.counts.withoutTarget == 1)
            let comma = try await hub.request(.put, uri, body: body)
            #expect(comma.status == .ok)
            #expect(comma.text.contains("<Tags>t</Tags>"))
        }
    }

    @Test(arguments: ["*", "\"*\"", "W/\"*\"", "\"1\"", "W/\"1\"", "1"])
    func everyFormOfIfMatchIsRead(condition: String) async throws {
        try await HubUnderTest.run { hub in
            let uri = "/hubsend/registrations/123-234-1"
            let put = try await hub.request(.put, uri, body: Self.apple)
            #expect(put.status == .ok)
            let update = try await hub.request(
                .put, uri, headers: ["If-Match": condition], body: Self.apple)
            #expect(update.header("ETag") == "W/\"2\"")
        }
    }

    @Test func theTokenOfAnInstallationIsShownInUpperCase() async throws {
        try await HubUnderTest.run { hub in
            let body = #"{"installationId":"i","platform":"apns","pushChannel":"ddee"}"#
            _ = try await hub.request(.put, "/hubsend/installations/i", body: body)
            let list = try await hub.request(.get, "/hubsend/registrations").text
            #expect(list.contains("<DeviceToken>DDEE</DeviceToken>"))
            let installation = try await hub.request(.get, "/hubsend/installations/i").text
            #expect(installation.contains(#""pushChannel":"ddee""#))
        }
    }
}
