import Foundation
import TestBackend
import TestSupport
import Testing

@Suite(.bounded) struct DeviceTests {
    private struct Line: Decodable {
        let kind: String
        let id: String?
        let message: String?
        let file: String?
        let read: Bool
    }

    private func lines(_ output: String) throws -> [Line] {
        try output.split(separator: "\n").filter { !$0.contains("\"ready\"") }.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    private static func secure(_ request: ScriptedRequest, _ text: String) -> ScriptedAnswer {
        guard request.method == "GET" else { return .status(204) }
        let id = request.target.split(separator: "/").last ?? ""
        let escaped = text.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return .text("{\"Id\":\"\(id)\",\"Payload\":\"\(escaped.joined())\",\"Read\":false}")
    }

    @Test("A secure push is fetched, saved and marked as read")
    func securePushIsFetchedSavedAndMarkedAsRead() async throws {
        try await DeviceFixture.run {
            Self.secure($0, "Your code is 7")
        } _: { parts in
            let device = try await parts.device(["--once", "--save", "got"])
            #expect(try await parts.send().status == 0)
            let result = try await device.end(0)
            let line = try #require(try lines(result.output).first)
            #expect(line.kind == "secure" && line.message == "Your code is 7" && line.read)
            let id = try #require(line.id)
            let file = "got/\(id).secure.txt"
            #expect(line.file?.hasSuffix(file) == true)
            #expect(try parts.workspace.text(file) == "Your code is 7")
            let requests = parts.backend.requests.map { $0.method }
            #expect(requests == ["POST", "PUT", "GET", "PUT", "DELETE"])
            #expect(
                parts.backend.requests.allSatisfy {
                    $0.authorization == "Basic " + Data("alice:sesame".utf8).base64EncodedString()
                })
            #expect(!(result.output + result.complaints).contains("sesame"))
        }
    }

    @Test("A device whose handle was given stays registered")
    func deviceWhoseHandleWasGivenStaysRegistered() async throws {
        try await DeviceFixture.run {
            Self.secure($0, "Hi")
        } _: { parts in
            let device = try await parts.device(
                ["--messages", "1", "--handle", "AB12", "--no-read"])
            #expect(try await parts.send().status == 0)
            let result = try await device.end(0)
            #expect(try lines(result.output).first?.read == false)
            #expect(parts.backend.requests.map { $0.method } == ["POST", "PUT", "GET"])
        }
    }

    @Test("Control characters in a payload cannot reach the terminal")
    func controlCharactersInAPayloadCannotReachTheTerminal() async throws {
        let hostile = "a\u{1B}[31m\u{9B}2J\u{202E}\r\nb\u{7}"
        try await DeviceFixture.run {
            Self.secure($0, hostile)
        } _: { parts in
            let device = try await parts.device(["--once"])
            let text = try await Binary.start(
                ["device", "--user", "alice", "--platform", "apns", "--once"],
                in: parts.workspace, environment: parts.environment)
            _ = try await text.firstLine()
            #expect(try await parts.send().status == 0)
            let json = try await device.result()
            #expect(try lines(json.output).first?.message == hostile)
            for output in [json.output, try await text.result().output] {
                #expect(output.contains("secure"))
                #expect(
                    output.unicodeScalars.allSatisfy { scalar in
                        scalar == "\n"
                            || scalar.properties.generalCategory != .control
                                && scalar.properties.generalCategory != .format
                    })
            }
        }
    }

    @Test("A fetch that fails temporarily is tried again")
    func fetchThatFailsTemporarilyIsTriedAgain() async throws {
        let isFirst = First()
        try await DeviceFixture.run { request in
            request.method == "GET" && isFirst.isFirst
                ? .status(503, ["Retry-After": "0"]) : Self.secure(request, "Hi")
        } _: { parts in
            let device = try await parts.device(["--once"])
            #expect(try await parts.send().status == 0)
            let result = try await device.end(0)
            #expect(try lines(result.output).map(\.kind) == ["secure"])
        }
    }

    @Test("A refused sign-in shows the generic text")
    func refusedSignInShowsTheGenericText() async throws {
        try await DeviceFixture.run { _ in
            .status(401)
        } _: { parts in
            let device = try await parts.device(["--once"])
            #expect(try await parts.send().status == 0)
            let result = try await device.end(0)
            #expect(try lines(result.output).map(\.kind) == ["generic"])
        }
    }

    @Test("A push whose payload is missing is reported")
    func pushWhosePayloadIsMissingIsReported() async throws {
        let isFirst = First()
        let gone = Milestone()
        try await DeviceFixture.run { request in
            guard request.method == "GET", isFirst.isFirst else {
                return Self.secure(request, "Hi")
            }
            gone.reach()
            return .status(404)
        } _: { parts in
            let device = try await parts.device(["--once"])
            #expect(try await parts.send("old").status == 0)
            try await device.wait(for: gone)
            #expect(try await parts.send("new").status == 0)
            let result = try await device.end(0)
            let lines = try lines(result.output)
            #expect(lines.map(\.kind) == ["nothing", "secure"])
            let fetched = parts.backend.requests.filter { $0.method == "GET" }.map(\.target)
            #expect(fetched == lines.map { "/api/notifications/\($0.id ?? "")" })
        }
    }

    @Test("A fetch that cannot succeed is reported and counted")
    func fetchThatCannotSucceedIsReportedAndCounted() async throws {
        let isFirst = First()
        let failed = Milestone()
        try await DeviceFixture.run { request in
            guard request.method == "GET", isFirst.isFirst else {
                return Self.secure(request, "Hi")
            }
            failed.reach()
            return .text("no JSON")
        } _: { parts in
            let device = try await parts.device(["--once"])
            #expect(try await parts.send("broken").status == 0)
            try await device.wait(for: failed)
            #expect(try await parts.send("good").status == 0)
            let result = try await device.end(3)
            #expect(result.complaints.contains("does not follow the protocol"))
            #expect(try lines(result.output).map(\.kind) == ["secure"])
        }
    }

    @Test("If too few notifications arrive in time, the command exits with 3")
    func ifTooFewNotificationsArriveInTimeTheCommandExitsWith3() async throws {
        try await DeviceFixture.run { _ in
            .status(500)
        } _: { parts in
            // Whether the device is ready at that point does not affect the result.
            let result = try await Binary.run(
                ["device", "--user", "alice", "--platform", "apns", "--once", "--for", "1s"],
                in: parts.workspace, environment: parts.environment, status: 3)
            #expect(result.complaints.contains("The time is up"))
        }
    }

    @Test(
        "A signal stops the device cleanly",
        arguments: [([], 0), (["--once"], 130)] as [([String], Int32)])
    func signalStopsTheDeviceCleanly(arguments: [String], status: Int32) async throws {
        try await DeviceFixture.run { _ in
            .status(500)
        } _: { parts in
            let device = try await parts.device(arguments)
            device.signal(SIGINT)
            try await device.end(status)
            #expect(parts.backend.requests.map { $0.method } == ["POST", "PUT", "DELETE"])
        }
    }

    @Test("A redirect is not followed") func redirectIsNotFollowed() async throws {
        try await ScriptedBackend.run { _, _ in
            .status(200)
        } _: { elsewhere, stranger in
            try await HubFixture.run { environment, _ in
                try await ScriptedBackend.run { _, _ in
                    .status(307, ["Location": elsewhere + "/"])
                } _: { address, _ in
                    let result = try await Binary.run(
                        ["device", "--user", "alice", "--platform", "fcm", "--backend", address],
                        in: try Workspace(),
                        environment: environment.merging(["HUBSEND_DEVICE_TOKEN": "sesame"]) { $1 },
                        status: 2)
                    #expect(result.complaints.contains("sent a redirect"))
                    #expect(stranger.requests.isEmpty)
                }
            }
        }
    }
}
