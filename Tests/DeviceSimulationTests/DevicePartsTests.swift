import CampaignCore
import DeviceClient
import Foundation
import TestSupport
import Testing

@testable import DeviceSimulation

@Suite(.bounded) struct DevicePartsTests {
    @Test("Events are read regardless of how the stream is split")
    func eventsAreReadRegardlessOfHowTheStreamIsSplit() throws {
        let stream =
            ":\n\nid: 7\nevent: push\ndata: {\"a\":1}\n\nid: 8\r\ndata:b\r\ndata: c\r\n\r\n:\n\n"
        for size in 1...stream.utf8.count {
            var parser = ServerSentEvents()
            var events: [ServerSentEvents.Event] = []
            var rest = Array(stream.utf8)[...]
            while !rest.isEmpty {
                events += try parser.feed(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            #expect(
                events == [.init(id: "7", data: "{\"a\":1}"), .init(id: "8", data: "b\nc")],
                "\(size)")
        }
    }

    @Test("An endless event is refused") func endlessEventIsRefused() throws {
        var parser = ServerSentEvents()
        #expect(throws: ServerSentEvents.TooLong.self) {
            for _ in 0..<2 { _ = try parser.feed([UInt8](repeating: 120, count: 1 << 20)) }
        }
    }

    @Test("Random streams are parsed without errors")
    func randomStreamsAreParsedWithoutErrors() throws {
        var generator = SeededGenerator(seed: 5)
        var parser = ServerSentEvents()
        for _ in 0..<2_000 {
            let bytes = (0..<40).map { _ in
                Array("\n\r: idatx".utf8).randomElement(using: &generator) ?? 0
            }
            for event in try parser.feed(bytes) { #expect(!event.data.contains("\r")) }
        }
    }

    @Test("Generated handles fit the platform and are unique")
    func generatedHandlesFitThePlatformAndAreUnique() throws {
        var generator = SeededGenerator(seed: 1)
        for platform in DevicePlatform.allCases {
            let handles = (0..<20).map { _ in MadeUpHandle.random(for: platform, using: &generator)
            }
            #expect(Set(handles).count == 20)
            #expect(handles.allSatisfy { $0.utf8.count <= 2_048 })
        }
        let token = MadeUpHandle.random(for: .apns, using: &generator)
        #expect(token.count == 64 && token.allSatisfy { $0.isHexDigit && !$0.isLowercase })
        let browser = MadeUpHandle.random(for: .browser, using: &generator)
        let subscription = try #require(BrowserSubscription(handle: browser))
        #expect(subscription.endpoint.hasPrefix("https://"))
        #expect(subscription.p256dh.utf8.count == 87 && subscription.auth.utf8.count == 22)
    }

    @Test(
        "Lost payloads are given as the reason for missing notifications",
        arguments: [
            (0, 0, "only 0 of the expected"), (2, 0, "only 2 of the expected"),
            (
                0, 1,
                "up. 1 push refers to a payload that no longer exists. Do `hubsend run` and"
            ),
            (3, 20, "up. 3 shown, but 20 pushes refer to a payload that"),
        ] as [(Int, Int, String)])
    func lostPayloadsAreGivenAsTheReasonForMissingNotifications(shown: Int, gone: Int, text: String)
    {
        let sentence = DeviceTally.shortfall(shown: shown, gone: gone)
        #expect(sentence.contains(text), "\(sentence)")
    }

    @Test("Saved files never overwrite existing files")
    func savedFilesNeverOverwriteExistingFiles() throws {
        let temporary = try TemporaryFolder()
        let parsed = DeviceClient.NotificationID("abcdefghijklmnopqrstuvwxyz")
        let id = try #require(parsed)
        try temporary.write("mine", to: "outside")
        try temporary.write("first", to: "got/\(id).img.png")
        try temporary.link("got/\(id).url.uri", to: "../outside")
        let folder = try DeviceFolder(path: temporary.file("got"))
        for (type, mediaType) in [("img", "image/png"), ("url", "text/uri-list")] {
            _ = try folder.save(Data("new".utf8), of: id, type: type, mediaType: mediaType)
        }
        let file = try folder.save(
            Data("new".utf8), of: id, type: "../../x/é y", mediaType: "../x")
        #expect(file == temporary.file("got/\(id).xy.bin"))
        #expect(try temporary.mode("got/\(id).xy.bin") == 0o600)
        #expect(try String(contentsOfFile: temporary.file("outside"), encoding: .utf8) == "mine")
        #expect(
            try String(contentsOfFile: temporary.file("got/\(id).img.png"), encoding: .utf8)
                == "first")
        #expect(try temporary.contents() == ["got", "outside"])
    }
}
