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

    @Test("A registration with the base type and other XML prefixes is read")
    func registrationWithTheBaseTypeAndOtherXMLPrefixesIsRead() async throws {
        let hub = try HubUnderTest()
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

    @Test("Tags are trimmed, and duplicates are removed")
    func tagsAreTrimmedAndDuplicatesAreRemoved() async throws {
        let hub = try HubUnderTest()
        let repeated = Array(repeating: "a", count: 61) + ["b"]
        let body = Self.body(
            "AppleRegistrationDescription", "<DeviceToken>ab</DeviceToken>",
            tags: repeated.joined(separator: " , "))
        let response = try await hub.request(.post, "/hubsend/registrations", body: body)
        #expect(response.status == .ok)
        #expect(response.text.contains("<Tags>a,b</Tags>"))
    }

    @Test("Push variables are returned as JSON text")
    func pushVariablesAreReturnedAsJSONText() async throws {
        let hub = try HubUnderTest()
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

    @Test("A changed registration still belongs to its installation")
    func changedRegistrationStillBelongsToItsInstallation() async throws {
        let hub = try HubUnderTest()
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

    @Test(
        "A body that is not a registration returns 400",
        arguments: [
            "<entry><content/></entry>", "<feed><content/></feed>",
            body(
                "AppleRegistrationDescription", "<DeviceToken>ab</DeviceToken>",
                tags: "$UserId:{a},$UserId:{b}"),
            body(
                "AppleRegistrationDescription",
                "<PushVariables>[]</PushVariables><DeviceToken>ab</DeviceToken>"),
            body(
                "GcmTemplateRegistrationDescription",
                "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>b</BodyTemplate><TemplateName>"
                    + String(repeating: "n", count: 201) + "</TemplateName>"),
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
            body("BaiduRegistrationDescription", "<BaiduUserId>u</BaiduUserId>"),
            body(
                "BrowserRegistrationDescription",
                "<Endpoint>https://e</Endpoint><P256DH>p</P256DH><Auth i:nil=\"1\">s</Auth>"),
            "<!--> <entry> --><!DOCTYPE entry [<!ENTITY a \"b\">]>" + apple,
            String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        ])
    func bodyThatIsNotARegistrationReturns400(body: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.post, "/hubsend/registrations", body: body)
        #expect(response.status == .badRequest)
        #expect(response.text.hasPrefix("<Error><Code>400</Code><Detail>"))
        #expect(hub.server.counts.devices == 0)
    }

    @Test(
        "A registration ID in an invalid form returns 400",
        arguments: ["x", "1-2", "1-2-33", "a-b-1", "1-2-3-4", "--1"])
    func registrationIDInAnInvalidFormReturns400(id: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.put, "/hubsend/registrations/\(id)", body: Self.apple)
        #expect(response.status == .badRequest)
    }

    @Test("A registered device is reached by its tags")
    func registeredDeviceIsReachedByItsTags() async throws {
        let hub = try HubUnderTest()
        let body = Self.body(
            "AppleRegistrationDescription", "<DeviceToken>ab12</DeviceToken>",
            tags: "username:alice,$UserId:{a}")
        _ = try await hub.request(.post, "/hubsend/registrations", body: body)
        _ = try await hub.send()
        _ = try await hub.send(tags: "$UserId:{a}")
        #expect(await hub.server.received(by: "alice").count == 2)
    }

    @Test("Registrations require Listen, and lists require Manage")
    func registrationsRequireListenAndListsRequireManage() async throws {
        let hub = try HubUnderTest()
        let listen = TestToken.make(.developmentListen)
        let send = TestToken.make(.developmentSend)
        let uri = "/hubsend/registrations/1-2-3"
        #expect(try await hub.request(.put, uri, token: listen, body: Self.apple).status == .ok)
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

    /// The tags of an installation's template registration include its name, even one that is not a valid tag.
    @Test(
        "A template registration keeps its tags",
        arguments: ["My Template", String(repeating: "n", count: 150), "größer"])
    func templateRegistrationKeepsItsTags(name: String) async throws {
        let tags = (1...60).map { "t\($0)" }.joined(separator: ",")
        let inner =
            "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{}</BodyTemplate>"
            + "<TemplateName>\(name)</TemplateName>"
        let element = "GcmTemplateRegistrationDescription"
        let hub = try HubUnderTest()
        let uri = "/hubsend/registrations/123-234-1"
        let put = try await hub.request(.put, uri, body: Self.body(element, inner, tags: tags))
        #expect(put.text.contains("<Tags>\(tags)</Tags>"))
        let again = try await hub.request(
            .put, uri, body: Self.body(element, inner, tags: "\(tags),\(name)"))
        #expect(again.status == .ok)
        #expect(again.text.contains("<Tags>\(tags),\(name)</Tags>"))
    }

    @Test("The name of a template is not a tag") func nameOfATemplateIsNotATag() async throws {
        let inner =
            "<GcmRegistrationId>g</GcmRegistrationId><BodyTemplate>{\"data\":{}}</BodyTemplate>"
            + "<TemplateName>news,today</TemplateName>"
        let body = Self.body("GcmTemplateRegistrationDescription", inner, tags: "t")
        let hub = try HubUnderTest()
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

    @Test(
        "Every form of If-Match is read",
        arguments: ["*", "\"*\"", "W/\"*\"", "\"1\"", "W/\"1\"", "1"])
    func everyFormOfIfMatchIsRead(condition: String) async throws {
        let hub = try HubUnderTest()
        let uri = "/hubsend/registrations/123-234-1"
        let put = try await hub.request(.put, uri, body: Self.apple)
        #expect(put.status == .ok)
        let update = try await hub.request(
            .put, uri, headers: ["If-Match": condition], body: Self.apple)
        #expect(update.header("ETag") == "W/\"2\"")
    }

    @Test("The APNs token of an installation is listed in upper case")
    func aPNsTokenOfAnInstallationIsListedInUpperCase() async throws {
        let hub = try HubUnderTest()
        let body = #"{"installationId":"i","platform":"apns","pushChannel":"ddee"}"#
        _ = try await hub.request(.put, "/hubsend/installations/i", body: body)
        let list = try await hub.request(.get, "/hubsend/registrations").text
        #expect(list.contains("<DeviceToken>DDEE</DeviceToken>"))
        let installation = try await hub.request(.get, "/hubsend/installations/i").text
        #expect(installation.contains(#""pushChannel":"ddee""#))
    }
}
