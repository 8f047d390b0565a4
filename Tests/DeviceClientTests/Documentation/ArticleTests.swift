import DeviceClient
import Foundation
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct ArticleTests {
    @Test("Every example in the articles compiles") func everyExampleInTheArticlesCompiles() throws
    {
        let articles = try Articles(
            of: "Sources/DeviceClient/DeviceClient.docc",
            examplesIn: "Tests/DeviceClientTests/Documentation")
        #expect(articles.strangers.isEmpty)
        #expect(articles.unused.isEmpty)
        #expect(articles.blocks.count > 8)
    }

    @Test("The example on the first page works when pasted")
    func exampleOnTheFirstPageWorksWhenPasted() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        try await ScriptedBackend.run { _, number in
            switch number {
            case 0: .text("\"1-2-3\"")
            case 1: .status(200)
            default: .text(#"{"Id":"\#(NotificationID.sample)","Payload":"Hello","Read":false}"#)
            }
        } _: { origin, backend in
            let push = Data(#"{"message":{"data":{"secureId":"\#(NotificationID.sample)"}}}"#.utf8)
            let shown = try await text(
                of: push, backend: try #require(URL(string: origin)), token: "t", handle: "h",
                folder: URL(filePath: path, directoryHint: .isDirectory))
            #expect(shown == "Hello")
            #expect(backend.requests.count == 3)
        }
    }
}
