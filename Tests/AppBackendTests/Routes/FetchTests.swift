import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import TestServing
import TestSupport
import Testing

@Suite(.bounded) struct FetchTests {
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 255]

    static func file(_ mediaType: String, _ bytes: [UInt8] = png) -> StoredContent {
        .file(PayloadFile(path: "a", mediaType: mediaType, bytes: bytes))
    }

    @Test("A secure payload is JSON that existing apps can read")
    func securePayloadIsJSONThatExistingAppsCanRead() async throws {
        let backend = try BackendUnderTest()
        let text = "quotes \" \\ </script> \u{1} 🎉"
        let id = try await backend.notify(
            [.alice], content: .text(text, mediaType: "text/plain; charset=utf-8"))
        let answer = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
        #expect(answer.status == .ok)
        let json = try answer.json()
        #expect(json["Id"] as? String == id.text)
        #expect(json["Payload"] as? String == text)
        #expect(json["Read"] as? Bool == false)
        #expect(json.count == 3)
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
    }

    @Test(
        "A rich payload is served as untrusted content",
        arguments: [
            ("image/png", true), ("IMAGE/JPEG", true), ("image/svg+xml", false),
            ("text/html", false),
            ("application/pdf", false), ("audio/mpeg", true), ("video/mp4", true),
            ("text/plain", true), ("text/plain; charset=utf-8", true), ("text/plainer", false),
            ("application/octet-stream", false), ("image/x-unknown", false),
        ])
    func richPayloadIsServedAsUntrustedContent(mediaType: String, isShown: Bool) async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify(
            [.alice], kind: .rich, type: "img", content: Self.file(mediaType))
        let answer = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
        #expect(answer.status == .ok)
        #expect(Array(buffer: answer.body) == Self.png)
        #expect(answer.header("Content-Type") == mediaType)
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Content-Security-Policy") == "sandbox")
        #expect(answer.header("Cache-Control") == "private")
        #expect(answer.header("Vary") == "Authorization")
        #expect(answer.header("Content-Disposition") == (isShown ? nil : "attachment"))
    }

    @Test(
        "An invalid stored media type causes no harm",
        arguments: ["text/plain\r\nX-Evil: 1", "", "none", String(repeating: "a/", count: 101)])
    func invalidStoredMediaTypeCausesNoHarm(mediaType: String) async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify(
            [.alice], kind: .rich, type: "img", content: Self.file(mediaType))
        let answer = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
        #expect(answer.header("Content-Type") == "application/octet-stream")
        #expect(answer.header("Content-Disposition") == "attachment")
        #expect(answer.header("X-Evil") == nil)
    }

    @Test("A client that already has the content gets 304")
    func clientThatAlreadyHasTheContentGets304() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify(
            [.alice], kind: .rich, type: "img", content: Self.file("image/png"))
        let uri = "/api/notifications/\(id)"
        let tag = try #require(try await backend.request(.get, uri, as: .alice).header("ETag"))
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count == 66)
        let changed = ["-gzip", "--gzip", ";gzip", "-br"].map { "\(tag.dropLast())\($0)\"" }
        let more = changed + changed.map { "W/\($0)" }
        for field in [tag, "W/\(tag)", "\"a\", \(tag)", "*"] + more {
            let answer = try await backend.request(
                .get, uri, as: .alice, headers: ["If-None-Match": field])
            #expect(answer.status == .notModified)
            #expect(answer.body.readableBytes == 0)
            #expect(answer.header("ETag") == tag)
        }
        for field in ["\"a\"", "\(tag.dropLast())", "\(tag.dropLast())x\"", "\"a-gzip\""] {
            let other = try await backend.request(
                .get, uri, as: .alice, headers: ["If-None-Match": field])
            #expect(other.status == .ok)
        }
        // People who may not fetch a notification learn nothing from its entity tag.
        let stranger = try await backend.request(
            .get, uri, as: .bob, headers: ["If-None-Match": tag])
        #expect(stranger.status == .notFound)
    }

    @Test("HEAD returns the same fields as GET without a body")
    func headReturnsTheSameFieldsAsGETWithoutABody() async throws {
        let backend = try BackendUnderTest()
        for (kind, content) in [
            (CampaignKind.secure, StoredContent.text("abc", mediaType: "text/plain")),
            (.rich, Self.file("image/png")),
        ] {
            let id = try await backend.notify([.alice], kind: kind, content: content)
            let get = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
            let head = try await backend.request(.head, "/api/notifications/\(id)", as: .alice)
            #expect(head.status == .ok)
            #expect(head.body.readableBytes == 0)
            #expect(head.headers == get.headers)
            #expect(head.header("Content-Length") == String(get.body.readableBytes))
        }
    }

    @Test("A description contains the kind, type and size")
    func descriptionContainsTheKindTypeAndSize() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify(
            [.alice], kind: .rich, type: "img", message: "Look \"here\"",
            content: Self.file("image/png"))
        let answer = try await backend.request(.get, "/api/notifications/\(id)?as=json", as: .alice)
        #expect(
            answer.text == """
                {"Id":"\(id)","Kind":"rich","RichType":"img","Message":"Look \\"here\\"",\
                "MediaType":"image/png","Bytes":10,"Created":"2026-12-01T08:00:00.250Z",\
                "Expires":"2026-12-01T09:00:00.250Z","Read":false}
                """)
        #expect(answer.header("Cache-Control") == "no-store")
        let unknown = try await backend.request(.get, "/api/notifications/\(id)?as=xml", as: .alice)
        #expect(unknown.status == .badRequest)
    }

    @Test("A secure payload comes with its title, link and data")
    func securePayloadComesWithItsTitleLinkAndData() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify(
            [.alice], title: "Your \"statement\"", link: "https://bank.example/s?a=1&b=2",
            data: ["b": "é", "a\n": "\u{1}"])
        let answer = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
        #expect(
            answer.text == """
                {"Id":"\(id)","Payload":"the secret","Read":false,\
                "title":"Your \\"statement\\"","link":"https://bank.example/s?a=1&b=2",\
                "data":{"a\\n":"\\u0001","b":"é"}}
                """)
    }

    @Test("The description of a rich payload contains its title, link and data")
    func descriptionOfARichPayloadContainsItsTitleLinkAndData() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify(
            [.alice], kind: .rich, type: "img", message: "Look", title: "Sale",
            link: "https://shop.example", data: ["campaign": "spring"],
            content: Self.file("image/png"))
        let uri = "/api/notifications/\(id)"
        let json = try await backend.request(.get, "\(uri)?as=json", as: .alice).json()
        #expect(json["title"] as? String == "Sale")
        #expect(json["link"] as? String == "https://shop.example")
        #expect(json["data"] as? [String: String] == ["campaign": "spring"])
        let bytes = try await backend.request(.get, uri, as: .alice)
        #expect(Array(buffer: bytes.body) == Self.png)
    }

    @Test("Missing, foreign and revoked notifications get the same response")
    func missingForeignAndRevokedNotificationsGetTheSameResponse() async throws {
        try await BackendUnderTest.run { backend in
            let mine = try await backend.notify([.alice])
            let revoked = try await backend.notify([.alice])
            #expect(try await backend.store.revoke(revoked, at: backend.time.now()))
            let others = try await backend.notify([.bob])
            #expect(
                try await backend.request(.get, "/api/notifications/\(mine)", as: .alice).status
                    == .ok)
            let unknown = String(repeating: "b", count: 26)
            for method in [HTTPRequest.Method.get, .head] {
                var answers: [TestResponse] = []
                for id in [
                    unknown, others.text, revoked.text, "1", "a%20b", "%00",
                    NotificationID.placeholder.text,
                ] {
                    answers.append(
                        try await backend.request(method, "/api/notifications/\(id)", as: .alice))
                }
                let first = try #require(answers.first)
                #expect(first.status == .notFound)
                for answer in answers {
                    #expect(answer.status == first.status)
                    #expect(answer.headers == first.headers)
                    #expect(answer.body == first.body)
                }
            }
            for id in [unknown, others.text, revoked.text, "1"] {
                let read = try await backend.request(
                    .put, "/api/notifications/\(id)/read", as: .alice)
                #expect(read.status == .notFound)
            }
        }
    }

    @Test("An expired notification is no longer available but can be marked as read")
    func expiredNotificationIsNoLongerAvailableButCanBeMarkedAsRead() async throws {
        try await BackendUnderTest.run({ $0.useSocket() }) { backend in
            let id = try await backend.notify([.alice])
            backend.time.move(by: 3_600)
            for uri in ["/api/notifications/\(id)", "/api/notifications/\(id)?as=json"] {
                #expect(try await backend.request(.get, uri, as: .alice).status == .gone)
                #expect(try await backend.request(.get, uri, as: .bob).status == .notFound)
            }
            let read = try await backend.request(.put, "/api/notifications/\(id)/read", as: .alice)
            #expect(read.status == .noContent)
            #expect(try await backend.received(id, .alice)?.read == backend.time.now())
        }
    }

    @Test("A shared payload is served only to its recipients")
    func sharedPayloadIsServedOnlyToItsRecipients() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify([.alice, .bob])
        for (user, status) in [("alice", 200), ("bob", 200), ("Alice", 404), ("carol", 404)] {
            let answer = try await backend.request(
                .get, "/api/notifications/\(id)", as: Username(checked: user))
            #expect(answer.status.code == status)
        }
    }
}
