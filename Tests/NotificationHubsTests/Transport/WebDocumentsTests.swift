import CampaignCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct WebDocumentsTests {
    private func failure(
        _ answer: ScriptedAnswer, limit: Int = 10, within time: Duration = .seconds(30)
    ) async throws -> DocumentError? {
        try await ScriptedHub.with(script: { _, _ in answer }) { hub in
            do throws(DocumentError) {
                _ = try await WebDocuments(userAgent: "test").document(
                    at: "http://127.0.0.1:\(hub.port)/keys", limit: limit, within: time)
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("A document is downloaded") func documentIsDownloaded() async throws {
        try await ScriptedHub.with(script: { _, _ in .status(200, body: "{\"keys\":[]}") }) { hub in
            let bytes = try await WebDocuments(userAgent: "test/1").document(
                at: "http://127.0.0.1:\(hub.port)/keys?v=1", limit: 11, within: .seconds(30))
            #expect(String(decoding: bytes, as: UTF8.self) == "{\"keys\":[]}")
        }
    }

    @Test("A redirect is not followed") func redirectIsNotFollowed() async throws {
        #expect(
            try await failure(.status(302, [("Location", "http://127.0.0.1:1/")]))
                == .refused(status: 302))
    }

    @Test("A document over the limit is refused") func documentOverTheLimitIsRefused() async throws
    {
        #expect(try await failure(.status(200, body: "0123456789")) == nil)
        #expect(try await failure(.status(200, body: "0123456789a")) == .tooLarge(limit: 10))
        #expect(
            try await failure(.dripping(after: "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"))
                == .tooLarge(limit: 10))
    }

    @Test("A truncated document is refused") func truncatedDocumentIsRefused() async throws {
        let cut = try await failure(
            .cutOff(after: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        guard case .noAnswer = cut else {
            Issue.record("half a document was taken")
            return
        }
    }

    @Test("An unsafe URL is not called") func unsafeURLIsNotCalled() async {
        for address in ["http://id.example.com/keys", "ftp://a/", "https://a:b@id.example.com/"] {
            await #expect(throws: DocumentError.unusableAddress) {
                _ = try await WebDocuments(userAgent: "test").document(
                    at: address, limit: 10, within: .seconds(1))
            }
        }
    }
}
