import CampaignCore
import DeviceClient
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulation

/// What simulated devices tell, and when it is enough.
@Suite(.bounded) struct DeviceTallyTests {
    private struct Unconnected: DeviceTransport {
        func send(_ request: DeviceRequest) async throws -> DeviceResponse {
            throw BackendClientError.unreachable
        }
    }

    /// Keeps what was written; a failure is thrown instead.
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

    private func line(_ text: String, on number: Int = 1) throws -> DeviceLine {
        let parsed = DeviceClient.NotificationID(Self.id)
        let id = try #require(parsed)
        let device = try SimulatedDevice(
            number: number, settings(), handle: "AA", transport: Unconnected())
        return DeviceLine(.secure(id: id, text: text), of: id, on: device)
    }

    @Test func whatComesBeyondTheGoalIsNotToldAnyMore() async throws {
        let written = Written()
        let tally = DeviceTally(
            goal: .notifications(2), devices: 1, isJSON: false, output: written.output)
        for number in 1...3 { await tally.add(try line("\(number)")) }
        #expect(await tally.shown == 2)
        #expect(await tally.isReached)
        #expect(
            written.lines == [1, 2].map { "1 apns secure \(Self.id): \($0)\n" })
        for await _ in tally.isEnough {}
    }

    @Test func oneEachIsReachedWithTheLastDevicesFirst() async throws {
        let tally = DeviceTally(
            goal: .oneEach, devices: 2, isJSON: false, output: Written().output)
        for _ in 0..<3 { await tally.add(try line("again")) }
        #expect(await !tally.isReached)
        await tally.add(try line("first", on: 2))
        #expect(await tally.isReached)
    }

    @Test func outputThatCannotBeWrittenIsEnough() async throws {
        let tally = DeviceTally(
            goal: .none, devices: 1, isJSON: false, output: Written(isFull: true).output)
        await tally.add(try line("lost"))
        for await _ in tally.isEnough {}
        #expect(await tally.outputFailure is Written.Full)
        #expect(await tally.shown == 0)
    }

    @Test func aLineOfJSONHasTheKeysThatScriptsReadAndNoOthers() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: true, output: written.output)
        await tally.add(try line("Hello"))
        #expect(
            written.lines == [
                #"{"device":1,"id":"\#(Self.id)","kind":"secure","message":"Hello","platform":"apns","read":false}"#
                    + "\n"
            ])
    }

    @Test func whatAPayloadSaysCannotSteerTheTerminal() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: false, output: written.output)
        await tally.add(try line("\u{1B}[2Jgone\nhubsend: all is well"))
        let text = try #require(written.lines.first)
        #expect(!text.contains("\u{1B}"))
        #expect(text.count(where: \.isNewline) == 1)
    }

    @Test func whatFailedIsToldWithItsDevice() async throws {
        let written = Written()
        let tally = DeviceTally(goal: .none, devices: 1, isJSON: false, output: written.output)
        let device = try SimulatedDevice(
            number: 7, settings(), handle: "AA", transport: Unconnected())
        await tally.fail(device, "it broke.")
        #expect(written.complaints == ["device 7: it broke."])
        #expect(await tally.failed == 1)
    }

    @Test(
        arguments: [
            (.credentialRefused, false, "refuses the token in X_FILE for alice."),
            (.credentialUnusable, false, "The token in X_FILE cannot be sent"),
            (.forbidden, true, "does not let alice register with the tags news, vip."),
            (.forbidden, false, "asked for alice."),
            (.status(429, retryAfter: .seconds(40)), false, "Try again in 40 s."),
            (.status(429, retryAfter: nil), false, "Try again later."),
            (.unreachable, false, "Start `hubsend serve`"), (.timedOut, false, "in time"),
        ] as [(BackendClientError, Bool, String)])
    func whatTheBackendRefusesNamesUserPlaceAndRemedy(
        error: BackendClientError, isRegistering: Bool, words: String
    ) throws {
        let sentence = try settings(tags: ["news", "vip"])
            .sentence(error, isRegistering: isRegistering)
        #expect(sentence.contains(words), "\(sentence)")
        #expect(sentence.contains("http://127.0.0.1:1"), "\(sentence)")
    }
}
