import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct HubEntityTests {
    private static let description =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
        + "<content type=\"application/xml\"><NotificationHubDescription xmlns:i=\"http://www.w3."
        + "org/2001/XMLSchema-instance\" xmlns=\"http://schemas.microsoft.com/netservices/2010/10/"
        + "servicebus/connect\"><RegistrationTtl>P90D</RegistrationTtl><ApnsCredential>"
        + "<Properties><Property><Name>Token</Name><Value>SECRET</Value></Property></Properties>"
        + "</ApnsCredential><UserMetadata>a &amp; b</UserMetadata></NotificationHubDescription>"
        + "</content></entry>"

    /// A rule of the hub if all the random numbers are 7.
    private static func rule(_ name: String, _ rights: [String]) -> String {
        let key = "BwAAAAAAAAAHAAAAAAAAAAcAAAAAAAAABwAAAAAAAAA="
        return "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
            + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue><Rights>"
            + rights.map { "<AccessRights>\($0)</AccessRights>" }.joined()
            + "</Rights><CreatedTime>2025-12-31T23:00:00.0000000Z</CreatedTime>"
            + "<ModifiedTime>2025-12-31T23:00:00.0000000Z</ModifiedTime>"
            + "<KeyName>\(name)</KeyName><PrimaryKey>\(key)</PrimaryKey>"
            + "<SecondaryKey>\(key)</SecondaryKey></AuthorizationRule>"
    }

    @Test("An unknown hub is returned as an empty feed")
    func unknownHubIsReturnedAsAnEmptyFeed() async throws {
        let hub = try HubUnderTest { $0.random = { 7 } }
        let response = try await hub.request(.get, "/other?api-version=2020-06")
        #expect(response.status == .ok)
        #expect(response.header("Content-Type") == "application/atom+xml; type=feed; charset=utf-8")
        #expect(
            response.text == "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"text\">"
                + "Publicly Listed Services</title><subtitle type=\"text\">This is the list of "
                + "publicly-listed services currently available.</subtitle>"
                + "<id>uuid:00000000-0000-4007-8000-000000000007;id=1</id>"
                + "<updated>2025-12-31T23:00:00Z</updated>"
                + "<generator>Service Bus 1.1</generator></feed>")
    }

    @Test("A hub can be created, read, changed and deleted")
    func hubCanBeCreatedReadChangedAndDeleted() async throws {
        let hub = try HubUnderTest { $0.random = { 7 } }
        let uri = "/Other?api-version=2020-06"
        let created = try await hub.request(.put, uri, body: Self.description)
        #expect(created.status == .created)
        #expect(
            created.text == "<entry xmlns=\"http://www.w3.org/2005/Atom\">"
                + "<id>http://localhost/Other?api-version=2020-06</id>"
                + "<title type=\"text\">Other</title><published>2025-12-31T23:00:00Z"
                + "</published><updated>2025-12-31T23:00:00Z</updated>"
                + "<author><name>localhost</name></author><link rel=\"self\" "
                + "href=\"http://localhost/Other?api-version=2020-06\"/>"
                + "<content type=\"application/xml\"><NotificationHubDescription xmlns=\"http:"
                + "//schemas.microsoft.com/netservices/2010/10/servicebus/connect\" xmlns:i="
                + "\"http://www.w3.org/2001/XMLSchema-instance\"><ApnsCredential><Properties>"
                + "<Property><Name>Token</Name><Value>SECRET</Value></Property></Properties>"
                + "</ApnsCredential><RegistrationTtl>P90D</RegistrationTtl><AuthorizationRules>"
                + Self.rule("DefaultListenSharedAccessSignature", ["Listen"])
                + Self.rule("DefaultFullSharedAccessSignature", ["Listen", "Manage", "Send"])
                + "</AuthorizationRules><UserMetadata>a &amp; b</UserMetadata>"
                + "</NotificationHubDescription></content></entry>")
        #expect(
            try await hub.request(.get, uri).text
                == created.text.replacing(
                    "</AuthorizationRules>",
                    with: "</AuthorizationRules><DailyOperations>0</DailyOperations>"
                        + "<DailyMaxActiveDevices>0</DailyMaxActiveDevices>"
                        + "<DailyMaxActiveRegistrations>0</DailyMaxActiveRegistrations>"
                        + "<DailyPushes>0</DailyPushes><DailyApiCalls>0</DailyApiCalls>"))

        let again = try await hub.request(.put, uri, body: Self.description)
        #expect(again.status == .conflict)
        #expect(
            again.text.hasPrefix(
                "<Error><Code>409</Code><Detail>SubCode=40900. Conflict.TrackingId:"))
        let changed = try await hub.request(
            .put, uri, headers: ["If-Match": "*"],
            body: Self.description.replacing("P90D", with: "P1D"))
        #expect(changed.status == .ok)
        #expect(
            changed.text
                == created.text.replacing("P90D", with: "P1D").replacing(
                    "<published>2025-12-31T23:00:00Z</published>", with: ""))

        #expect(try await hub.request(.delete, uri).status == .ok)
        let gone = try await hub.request(.delete, uri)
        #expect(gone.status == .notFound)
        #expect(gone.text.contains("No service is hosted at the specified address..TrackingId:"))
        let update = try await hub.request(.put, uri, headers: ["If-Match": "*"])
        #expect(update.status == .notFound)
    }

    @Test("Each hub has its own devices") func eachHubHasItsOwnDevices() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.request(.put, "/second", body: Self.description)
        _ = try await hub.install("1", tags: ["username:alice"])
        let second = try await hub.send(uri: "/second/messages")
        #expect(second.status == .created)
        #expect(second.header("Location")?.contains("/second/messages/") == true)
        #expect(await hub.server.received(by: "alice").isEmpty)
        _ = try await hub.send()
        #expect(await hub.server.received(by: "alice").count == 1)
        #expect(try await hub.send(uri: "/third/messages").status == .notFound)
    }

    @Test("Only the key with all rights can manage hubs")
    func onlyTheKeyWithAllRightsCanManageHubs() async throws {
        let hub = try HubUnderTest()
        for rule in [LocalHubRule.developmentListen, .developmentSend] {
            let token = TestToken.make(rule)
            for method in [.get, .put, .delete] as [HTTPRequest.Method] {
                let response = try await hub.request(method, "/hubsend", token: token, body: nil)
                #expect(response.status == .forbidden)
            }
        }
        #expect(try await hub.request(.get, "/other", token: nil).status == .unauthorized)
    }

    @Test(
        "An invalid hub name returns 400",
        arguments: ["/.hidden", "/a@b", "/\(String(repeating: "a", count: 261))", "/a%20b"])
    func invalidHubNameReturns400(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.put, uri)
        #expect(response.status == .badRequest)
    }

    @Test(
        "A body without a hub description returns 400",
        arguments: [
            "x", "<a/>", "<entry><content><Other/></content></entry>", "<!DOCTYPE a><a/>",
        ])
    func bodyWithoutAHubDescriptionReturns400(body: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.put, "/other", body: body)
        #expect(response.status == .badRequest)
        let deleted = try await hub.request(.delete, "/other")
        #expect(deleted.status == .notFound)
    }

    @Test("The number of hubs is limited") func numberOfHubsIsLimited() async throws {
        let hub = try HubUnderTest { $0.limits.hubs = 2 }
        let second = try await hub.request(.put, "/second")
        #expect(second.status == .created)
        let third = try await hub.request(.put, "/third")
        #expect(third.status == .forbidden)
    }
}
