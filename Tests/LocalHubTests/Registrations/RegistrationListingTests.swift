import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@Suite(.bounded) struct RegistrationListingTests {
    private func fill(_ hub: HubUnderTest, _ count: Int) async throws {
        for number in 1...count {
            let body = RegistrationRequestTests.body(
                "FcmV1RegistrationDescription",
                "<FcmV1RegistrationId>f\(number)</FcmV1RegistrationId>",
                tags: number.isMultiple(of: 2) ? "even" : "odd")
            _ = try await hub.request(.put, "/hubsend/registrations/\(number)-2-3", body: body)
        }
    }

    private func ids(_ text: String) -> [String] {
        text.matches(of: /<RegistrationId>([^<]*)<\/RegistrationId>/).map { String($0.output.1) }
    }

    /// All IDs of a listing, page by page, and the number of pages.
    private func all(
        _ hub: HubUnderTest, _ uri: String, from first: String? = nil
    ) async throws -> ([String], pages: Int) {
        var ids: [String] = []
        var token = first
        var pages = 0
        repeat {
            let next = token.map { "&ContinuationToken=\($0)" } ?? ""
            let response = try await hub.request(.get, uri + next)
            #expect(response.status == .ok)
            ids += self.ids(response.text)
            token = response.header("x-ms-continuationtoken")
            #expect(token.map { $0.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil } != false)
            pages += 1
        } while token != nil && pages < 100
        return (ids, pages)
    }

    @Test(
        "Pages list every registration once",
        arguments: [("$top=2", 3), ("%24top=3", 2), ("$top=5", 1), ("$top=6", 1), ("x=y", 1)])
    func pagesListEveryRegistrationOnce(query: String, pages: Int) async throws {
        let hub = try HubUnderTest()
        try await fill(hub, 5)
        let listing = try await all(hub, "/hubsend/registrations?\(query)")
        #expect(listing.0 == (1...5).map { "\($0)-2-3" })
        #expect(listing.pages == pages)
    }

    @Test("The link to the next page keeps the spelling of the request's URL")
    func linkToTheNextPageKeepsTheSpellingOfTheRequestsURL() async throws {
        let hub = try HubUnderTest()
        try await fill(hub, 3)
        let uri = "/hubsend/tags/odd/Registrations/?%24top=1&api-version=2020-06"
        let first = try await hub.request(.get, uri)
        let token = try #require(first.header("x-ms-continuationtoken"))
        let query = "?%24top=1&amp;api-version=2020-06"
        let path = "http://localhost/hubsend/tags/odd/Registrations/"
        #expect(
            first.text.contains(
                "<id>\(path)\(query)</id><updated>2025-12-31T23:00:00Z</updated>"
                    + "<link rel=\"self\" href=\"\(path)\(query)\"/><link rel=\"next\" "
                    + "href=\"\(path)\(query)&amp;continuationtoken=\(token)\"/><entry "))
        #expect(first.text.contains("<id>\(path)1-2-3\(query)</id>"))
        let last = try await hub.request(.get, "\(uri)&ContinuationToken=\(token)")
        #expect(!last.text.contains("rel=\"next\""))
        #expect(last.text.contains("<id>\(path)3-2-3\(query)&amp;ContinuationToken="))
    }

    @Test("The size of a page is limited") func sizeOfAPageIsLimited() async throws {
        let hub = try HubUnderTest()
        try await fill(hub, 101)
        let listing = try await all(hub, "/hubsend/registrations?$top=1000000")
        #expect(listing.0.count == 101)
        #expect(listing.pages == 2)
    }

    @Test("A listing skips nothing while registrations change")
    func listingSkipsNothingWhileRegistrationsChange() async throws {
        let hub = try HubUnderTest()
        try await fill(hub, 6)
        let first = try await hub.request(.get, "/hubsend/registrations?$top=2")
        let token = try #require(first.header("x-ms-continuationtoken"))
        _ = try await hub.request(.delete, "/hubsend/registrations/1-2-3")
        _ = try await hub.request(.delete, "/hubsend/registrations/3-2-3")
        let rest = try await all(hub, "/hubsend/registrations?$top=2", from: token)
        #expect(rest.0 == ["4-2-3", "5-2-3", "6-2-3"])
    }

    @Test("The list of a tag contains only its registrations")
    func listOfATagContainsOnlyItsRegistrations() async throws {
        let hub = try HubUnderTest()
        try await fill(hub, 5)
        let listing = try await all(hub, "/hubsend/tags/odd/registrations?$top=2")
        #expect(listing.0 == ["1-2-3", "3-2-3", "5-2-3"])
        #expect(listing.pages == 2)
        #expect(try await all(hub, "/hubsend/tags/none/Registrations/?a=b").0.isEmpty)
    }

    @Test(
        "A filter finds the device by its handle in every spelling",
        arguments: [
            "ChannelUri+eq+%27f3%27", "channeluri%20EQ%20'f3'", "FcmV1RegistrationId+eq+%27f3%27",
            "ChannelUri eq 'f3".replacing(" ", with: "%20"), "ChannelUri+eq+%27%25663%27",
        ])
    func filterFindsTheDeviceByItsHandleInEverySpelling(filter: String) async throws {
        let hub = try HubUnderTest()
        try await fill(hub, 5)
        #expect(try await all(hub, "/hubsend/registrations?$filter=\(filter)").0 == ["3-2-3"])
    }

    @Test(
        "A filter supports the properties of each platform",
        arguments: [
            ("deviceToken+eq+'ab12'", "AppleRegistrationDescription", true),
            ("DeviceToken+eq+'AB12'", "AppleRegistrationDescription", true),
            ("GcmRegistrationId+eq+'ab12'", "AppleRegistrationDescription", false),
            ("Endpoint+eq+'e'+and+P256DH+eq+'p'+and+Auth+eq+'s'", "Browser", true),
            ("Endpoint+eq+'e'+and+P256DH+eq+'q'+and+Auth+eq+'s'", "Browser", false),
            ("BaiduUserId+eq+'u'+and+BaiduChannelId+eq+'c", "Baidu", true),
            ("BaiduUserId+eq+'u'+and+BaiduChannelId+eq+'d'", "Baidu", false),
            ("BaiduChannelId+eq+c'+and+BaiduUserId+eq+'u'", "Baidu", true),
            ("BaiduChannelId+eq+c'+and+BaiduUserId+eq+'v'", "Baidu", false),
            (
                "Endpoint+eq+'https%253A%252F%252Fe'+and+P256DH+eq+'p'+and+Auth+eq+'s'", "Browser",
                true
            ),
            ("ChannelUri+eq+'https%253A%252F%252Fw%252F%253Fa%253D1%2526b%253D2'", "Windows", true),
            ("XiaomiRegistrationId+eq+'x'", "Xiaomi", true),
            ("AdmRegistrationId+eq+'d'", "Adm", true),
            ("ChannelUri+eq+'d'", "Adm", true),
            ("ChannelUri+eq+'u-c'", "Baidu", true),
        ])
    func filterSupportsThePropertiesOfEachPlatform(
        filter: String, kind: String, isFound: Bool
    ) async throws {
        let hub = try HubUnderTest()
        let kind = try #require(RegistrationKindFixture.all.first { $0.element.hasPrefix(kind) })
        _ = try await hub.request(
            .put, "/hubsend/registrations/1-2-3",
            body: RegistrationRequestTests.body(kind.element, kind.sent))
        let uri = "/hubsend/registrations?$filter=\(filter.replacing("'", with: "%27"))"
            .replacing("'e'", with: "'https://e'")
        let found = try await all(hub, uri.replacing("%27e%27", with: "%27https://e%27"))
        #expect(found.0.isEmpty != isFound)
    }

    @Test(
        "An invalid query returns 400",
        arguments: [
            "$top=0", "$top=-1", "$top=x", "continuationtoken=x", "continuationtoken=place--1",
            "$filter=", "$filter=x", "$filter=Tags+eq+%27a%27", "$filter=ChannelUri+ne+%27a%27",
            "$filter=ChannelUri+eq+a", "$filter=ChannelUri+eq+%27a%27+or+ChannelUri+eq+%27b%27",
            "$filter=ChannelUri+eq+%27%27", "$filter=Auth+eq+%27s%27",
            "$filter=BaiduUserId+eq+%27u%27", "continuationtoken=place-%2B1",
            "continuationtoken=place-01", "continuationtoken=",
        ])
    func invalidQueryReturns400(query: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, "/hubsend/registrations?\(query)")
        #expect(response.status == .badRequest)
    }

    @Test("An installation's registration is listed with its special tags")
    func installationsRegistrationIsListedWithItsSpecialTags() async throws {
        let hub = try HubUnderTest()
        _ = try await hub.install("i1", tags: ["t"], userID: "u1")
        let list = try await hub.request(.get, "/hubsend/registrations")
        #expect(list.text.contains("<Tags>$InstallationId:{i1},$UserId:{u1},t</Tags>"))
        #expect(list.text.contains("<ExpirationTime>9999-12-31T23:59:59.9999999Z</ExpirationTime>"))
        let byTag = "/hubsend/tags/$InstallationId:%7Bi1%7D/registrations?a=b"
        #expect(try await all(hub, byTag).0.count == 1)
    }
}
