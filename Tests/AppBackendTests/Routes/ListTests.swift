import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import TestServing
import TestSupport
import Testing

@Suite(.bounded) struct ListTests {
    private static func ids(_ answer: TestResponse) throws -> [String] {
        let list = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
        return try #require(list as? [[String: any Sendable]]).compactMap { $0["Id"] as? String }
    }

    @Test("A list contains the caller's notifications, newest first")
    func listContainsTheCallersNotificationsNewestFirst() async throws {
        let backend = try BackendUnderTest()
        var mine: [String] = []
        for _ in 1...5 {
            backend.time.move(by: 1)
            mine.insert(try await backend.notify([.alice]).text, at: 0)
            _ = try await backend.notify([.bob])
        }
        let whole = try await backend.request(.get, "/api/notifications", as: .alice)
        #expect(try Self.ids(whole) == mine)
        #expect(whole.header("Link") == nil)
        #expect(whole.header("Cache-Control") == "no-store")
        var uri: String? = "/api/notifications?limit=2"
        var pages: [[String]] = []
        while let next = uri {
            let page = try await backend.request(.get, next, as: .alice)
            pages.append(try Self.ids(page))
            uri = page.header("Link").flatMap { link in
                #expect(link.hasSuffix(">; rel=\"next\""))
                return link.dropFirst().split(separator: ">").first.map(String.init)
            }
        }
        #expect(pages == [Array(mine[0..<2]), Array(mine[2..<4]), Array(mine[4...])])
    }

    @Test("The unread list leaves out notifications that have been read")
    func unreadListLeavesOutNotificationsThatHaveBeenRead() async throws {
        try await BackendUnderTest.run { backend in
            var mine: [NotificationID] = []
            for _ in 1...3 {
                backend.time.move(by: 1)
                mine.insert(try await backend.notify([.alice]), at: 0)
            }
            _ = try await backend.request(.put, "/api/notifications/\(mine[1])/read", as: .alice)
            let unread = try await backend.request(
                .get, "/api/notifications?unread=true&limit=1", as: .alice)
            #expect(try Self.ids(unread) == [mine[0].text])
            #expect(
                unread.header("Link")
                    == "</api/notifications?unread=true&after=\(mine[0])&limit=1>; rel=\"next\"")
            let next = try await backend.request(
                .get, "/api/notifications?unread=true&after=\(mine[0])&limit=1", as: .alice)
            #expect(try Self.ids(next) == [mine[2].text])
            let all = try await backend.request(
                .get, "/api/notifications?unread=false", as: .alice)
            #expect(try Self.ids(all) == mine.map(\.text))
        }
    }

    @Test("Paging from a foreign ID returns nothing")
    func pagingFromAForeignIDReturnsNothing() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.notify([.alice])
        let others = try await backend.notify([.bob])
        for after in [others.text, "x", "", "%00"] {
            let answer = try await backend.request(
                .get, "/api/notifications?after=\(after)", as: .alice)
            #expect(answer.text == "[]")
        }
    }

    @Test(
        "A malformed query gets 400",
        arguments: [
            "unread=maybe", "limit=0", "limit=101", "limit=-1", "limit=a", "limit=", "limit=%31%",
            "limit=1&LIMIT=2",
        ])
    func malformedQueryGets400(query: String) async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(.get, "/api/notifications?\(query)", as: .alice)
        #expect(answer.status == .badRequest)
    }

    @Test("A list contains no payloads") func listContainsNoPayloads() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify([.alice], message: nil)
        let answer = try await backend.request(.get, "/api/notifications", as: .alice)
        #expect(
            answer.text == """
                [{"Id":"\(id)","Kind":"secure","RichType":null,"Message":null,\
                "MediaType":"text/plain; charset=utf-8","Created":"2026-12-01T08:00:00.250Z",\
                "Expires":"2026-12-01T09:00:00.250Z","Read":false}]
                """)
    }
}
