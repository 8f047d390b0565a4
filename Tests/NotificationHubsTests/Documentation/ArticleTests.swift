import LocalHub
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct ArticleTests {
    @Test("Every example in the articles compiles") func everyExampleInTheArticlesCompiles() throws
    {
        let articles = try Articles(
            of: "Sources/NotificationHubs/NotificationHubs.docc",
            examplesIn: "Tests/NotificationHubsTests/Documentation")
        #expect(articles.strangers.isEmpty)
        #expect(articles.unused.isEmpty)
        #expect(articles.blocks.count > 10)
    }

    @Test("The example on the first page works when pasted")
    func exampleOnTheFirstPageWorksWhenPasted() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            try await wakeApps(of: "alice", id: "42", connectionString: hub.connectionString())
            #expect(
                hub.record.requests.map { $0["ServiceBusNotification-Tags"] } == ["username:alice"])
        }
    }

    @Test("The examples work with a hub") func examplesWorkWithAHub() async throws {
        try await AgainstLocalHub.with { client, hub in
            let silent = try NativeNotification.silent()
            let alice = TagExpression(try Tag("username:alice"))
            try await client.put(
                Installation(
                    id: "kept", channel: .apple(deviceToken: "AB"), tags: ["username:alice"]))
            try await Examples.sendToTags(client, silent)
            try await Examples.sendToEverybody(client)
            try await Examples.sendToDevices(client, silent, tokens: ["AB"])
            try await Examples.decide(client, silent, alice)
            let failed = try await Examples.sendMany(client, ids: ["alice": "1", "bob": "2"])
            #expect(failed == [])
            #expect(await hub.received(by: "alice").count >= 2)
            try await Examples.schedule(client, silent, alice)
            try await Examples.register(client, token: "CD")
            try await Examples.list(client, kept: nil) { _ in }
            try await Examples.install(client, token: "EF")
            await Examples.invalid(client, Installation(id: "", channel: .apple(deviceToken: "A")))
            try await Examples.telemetry(client, id: "1")
            try await Examples.test(client, silent)
            #expect(Examples.settings().map(\.retries.attempts) == [5, 1])
        }
    }
}
