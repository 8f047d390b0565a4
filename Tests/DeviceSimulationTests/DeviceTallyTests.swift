import CampaignCore
import DeviceClient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulation

@Suite(.bounded) struct DeviceTallyTests {
    private struct Unconnected: DeviceTransport {
        func send(_ request: DeviceRequest) async throws -> DeviceResponse {
            throw BackendClientError.unreachable
        }
    }

    /// Stores the written lines, or throws an error.
    private final class Written: Sendable {
        struct Full: Error {}

        private let state = Mutex((lines: [String](), complaints: [String]()))
        private let isFull: Bool

        init(isFull: Bool = false) {
            self.isFull = isFull
        }

        var lines: [String] { state.withLock { $0.lines } }
        var complaints: [String] { state.withLock { $0.complaints } }
        var output: DeviceOutput {
            DeviceOutput(
                write: { text in
                    if self.isFull { throw Full() }
                    self.state.withLock { $0.lines.append(text) }
                }, complain: { text in self.state.withLock { $0.complaints.append(text) } })
        }
    }

    private static let id = "abcdefghijklmnopqrstuvwxyz"

    private func settings(tags: [String] = []) throws -> DeviceSettings {
        var settings = DeviceSettings(
            user: try Username("alice"), platform: .apns,
            backend: try #require(URL(string: "http://127.0.0.1:1")),
            signIn: DeviceSignIn(isToken: true, setting: "X_FILE") { nil })
        settings.tags = tags
        return settings
    }

    private func device(_ number: Int = 1) throws -> SimulatedDevice {
        try SimulatedDevice(
            number: number, settings(), handle: "AA", transport: Unconnected())
    }

    private func notificationID() throws -> DeviceClient.NotificationID {
        let parsed = DeviceClient.NotificationID(Self.id)
        return try #require(parsed)
    }

    private func line(
        _ text: String, on number: Int = 1, extras: NotificationExtras = .none,
        placeholder: String? = nil
    ) throws -> DeviceLine {
        let id = try notificationID()
        return DeviceLine(
            .secure(id: id, text: text, extras: extras),
            of: .secure(id, placeholder: placeholder), on: try device(number))
    }

    @Test("Notifications beyond the goal are not printed")
    func notificationsBeyondTheGoalAreNotPrinted() async throws {
        let written = Written()
        let tally = DeviceTally(
            goal: .notifications(2), devices: 1, isJSON: false, output: written.output)
        for number in 1...3 { await tally.add(try line("\(number)")) }
        #expect(await tally.shown == 2)
        #expect(await tally.isReached)
        #expect(
            written.lines == [1, 2].map { "1 apns secure silent \(Self.id): \($0)\n" })
        for await _ in tally.isEnough {}
    }

    @Test("The goal of one notification each is reached with the last device")
    func goalOfOneNotificationEachIsReachedWithTheLastDevice() async throws {
        let tally = DeviceTally(
            goal: .oneEach, devices: 2, isJSON: false, output: Written().output)
        for _ in 0..<3 { await tally.add(try line("again")) }
        #expect(await !tally.isReached)
        await tally.add(try line("first", on: 2))
        #expect(await tally.isReached)
    }

    @Test("A failure to write output stops the work") func failureToWriteOutputStopsTheWork()
        async throws
    {
        let tally = DeviceTally(
            goal: .none, devices: 1, isJSON: false, output: Written(isFull: true).output)
        await tally.add(try line("lost"))
        for await _ in tally.isEnough {}
        #expect(await tally.outputFailure is Written.Full)
        #expect(await tally.shown == 0)
    }

    @Test("A JSON line has exactly the documented keys")
    func jsonLineHasExactlyTheDocumentedKeys() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: true, output: written.output)
        await tally.add(try line("Hello"))
        #expect(
            written.lines == [
                #"{"device":1,"id":"\#(Self.id)","kind":"secure","message":"Hello","platform":"apns","read":false,"way":"silent"}"#
                    + "\n"
            ])
    }

    @Test("Title, link and data are printed") func titleLinkAndDataArePrinted() async throws {
        let extras = NotificationExtras(
            title: "Sale", link: "https://shop.example/sale", data: ["campaign": "spring"])
        let line = try line("Hello", extras: extras, placeholder: "News")
        #expect(
            String(decoding: try line.line(), as: UTF8.self)
                == #"{"data":{"campaign":"spring"},"device":1,"id":"\#(Self.id)","kind":"secure","link":"https://shop.example/sale","message":"Hello","placeholder":"News","platform":"apns","read":false,"title":"Sale","way":"placeholder"}"#
                + "\n")
        #expect(
            line.shown
                == "1 apns secure placeholder \(Self.id): Sale / Hello (replaces: News) "
                + "-> https://shop.example/sale campaign=spring\n")
    }

    @Test(
        "A placeholder that is not replaced is printed with the reason",
        arguments: [
            (.late, "too late", false), (.signedOut, "signed out", false), (.gone, "gone", true),
            (.backend(.unreachable), "the backend failed", false),
            (.nothingToReplace, "no extension runs without mutable-content", false),
        ] as [(PlaceholderReason, String, Bool)])
    func placeholderThatIsNotReplacedIsPrintedWithTheReason(
        reason: PlaceholderReason, words: String, isGone: Bool
    ) async throws {
        let push = DevicePush.secure(try notificationID(), placeholder: "News")
        let line = DeviceLine(placeholderOf: push, on: try device(), reason)
        #expect(line.shown == "1 apns placeholder \(Self.id): News (\(words))\n")
        #expect(String(decoding: try line.line(), as: UTF8.self).contains(#""way":"placeholder""#))
        let tally = DeviceTally(
            goal: .notifications(1), devices: 1, isJSON: false, output: Written().output)
        await tally.add(line)
        #expect(await tally.shown == 1)
        #expect(await tally.gone == (isGone ? 1 : 0))
    }

    @Test("A repeat is printed but not counted") func repeatIsPrintedButNotCounted() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: false, output: written.output)
        var line = try line("Hello", placeholder: "News")
        await tally.add(line)
        line.isRepeat = true
        await tally.add(line)
        #expect(await tally.shown == 1)
        #expect(written.lines.count == 2)
        #expect(written.lines.last?.contains("\(Self.id) again: Hello") == true)
    }

    @Test(
        "Only a failure produces a message about trouble",
        arguments: [
            (.late, "in time"), (.backend(.unreachable), "Start `hubsend serve`"),
            (.credentialUnavailable, "The credential in X_FILE cannot be read"), (.gone, nil),
            (.signedOut, nil), (.nothingToReplace, nil),
        ] as [(PlaceholderReason, String?)])
    func onlyAFailureProducesAMessageAboutTrouble(reason: PlaceholderReason, words: String?) throws
    {
        let sentence = try settings().trouble(reason)
        #expect(words.map { sentence?.contains($0) == true } ?? (sentence == nil))
    }

    @Test("An unreadable secret is not a backend failure")
    func unreadableSecretIsNotABackendFailure() {
        let error = BackendClientError.credentialUnavailable(UnderlyingError(Written.Full()))
        #expect(error.ofBackend == nil)
        #expect(BackendClientError.unreachable.ofBackend == .unreachable)
        #expect(Written.Full().ofBackend == nil)
    }

    @Test("Payloads cannot control the terminal")
    func payloadsCannotControlTheTerminal() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: false, output: written.output)
        await tally.add(try line("\u{1B}[2Jgone\nhubsend: all is well"))
        let text = try #require(written.lines.first)
        #expect(!text.contains("\u{1B}"))
        #expect(text.count(where: \.isNewline) == 1)
    }

    @Test("A failure is reported with its device")
    func failureIsReportedWithItsDevice() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: false, output: written.output)
        let device = try SimulatedDevice(
            number: 7, settings(), handle: "AA", transport: Unconnected())
        await tally.fail(device, "it broke.")
        #expect(written.complaints == ["device 7: it broke."])
        #expect(await tally.failed == 1)
    }

    @Test(
        "A refusal by the backend shows the user, the address and a remedy",
        arguments: [
            (.credentialRefused, false, "refuses the token in X_FILE for alice."),
            (.credentialUnusable, false, "The token in X_FILE cannot be sent"),
            (.forbidden, true, "does not let alice register with the tags news, vip."),
            (.forbidden, false, "the user is alice."),
            (.status(429, retryAfter: .seconds(40)), false, "Try again in 40 s."),
            (.status(429, retryAfter: nil), false, "Try again later."),
            (.unreachable, false, "Start `hubsend serve`"), (.timedOut, false, "in time"),
        ] as [(BackendClientError, Bool, String)])
    func refusalByTheBackendShowsTheUserTheAddressAndARemedy(
        error: BackendClientError, isRegistering: Bool, words: String
    ) throws {
        let sentence = try settings(tags: ["news", "vip"])
            .sentence(error, isRegistering: isRegistering)
        #expect(sentence.contains(words), "\(sentence)")
        #expect(sentence.contains("http://127.0.0.1:1"), "\(sentence)")
    }
}
