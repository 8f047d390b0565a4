import Foundation
import TestBackend
import TestSupport
import Testing

/// Tests that messages about errors of the backend or the hub contain the user, the address and
/// what to do.
///
/// The cause is printed once, at the top.
@Suite(.bounded) struct DeviceTroubleTests {
    private static func hub(_ origin: String) -> [String: String] {
        [
            "HUBSEND_HUB_CONNECTION_STRING":
                "Endpoint=\(origin)/;SharedAccessKeyName=a;SharedAccessKey=YWJj;EntityPath=hub",
            "HUBSEND_DEVICE_PASSWORD": "sesame",
        ]
    }

    /// A backend that can register devices but not unregister them.
    @Sendable private static func keeping(
        _ request: ScriptedRequest, _ number: Int
    ) -> ScriptedAnswer {
        switch request.method {
        case "POST": .text("\"1-2-3\"")
        case "DELETE": .status(503)
        default: .status(200)
        }
    }

    private static func run(
        _ arguments: [String] = [], at backend: String, _ environment: [String: String],
        status: Int32
    ) async throws -> ChildProcess.Result {
        let result = try await Binary.run(
            ["device", "--user", "alice", "--platform", "fcm", "--backend", backend] + arguments,
            in: try Workspace(), environment: environment, status: status)
        #expect(!(result.output + result.complaints).contains("sesame"))
        return result
    }

    @Test(
        "The error about a refused sign-in names the user, the backend and the variable",
        arguments: [
            ("HUBSEND_DEVICE_TOKEN", "refuses the token in HUBSEND_DEVICE_TOKEN", "backend.jwt"),
            (
                "HUBSEND_DEVICE_PASSWORD", "refuses the password in HUBSEND_DEVICE_PASSWORD",
                "backend.users"
            ),
        ])
    func errorAboutARefusedSignInNamesTheUserTheBackendAndTheVariable(
        variable: String, text: String, remedy: String
    ) async throws {
        try await HubFixture.run { environment, _ in
            try await ScriptedBackend.run { _, _ in
                .status(401, ["WWW-Authenticate": "Basic realm=\"hubsend\""])
            } _: { origin, _ in
                let result = try await Self.run(
                    at: origin, environment.merging([variable: "sesame"]) { $1 }, status: 4)
                for part in ["The backend \(origin) \(text) for alice.", remedy] {
                    #expect(result.complaints.contains(part), "\(result.complaints)")
                }
            }
        }
    }

    @Test("The error about a refused tag shows the setting that allows it")
    func errorAboutARefusedTagShowsTheSettingThatAllowsIt() async throws {
        try await HubFixture.run { environment, _ in
            try await ScriptedBackend.run { request, number in
                request.method == "PUT" ? .status(403) : Self.keeping(request, number)
            } _: { origin, _ in
                let result = try await Self.run(
                    ["--tag", "news", "--tag", "vip"], at: origin,
                    environment.merging(["HUBSEND_DEVICE_PASSWORD": "sesame"]) { $1 }, status: 4)
                let lines = result.complaints.split(separator: "\n")
                let cause = try #require(lines.first)
                #expect(
                    cause.contains(
                        "The backend \(origin) does not let alice register with the tags news, vip."
                    ))
                #expect(cause.contains("`backend.allowed_tags`"))
                // The registration remains at the hub, and this is reported after the cause.
                #expect(lines.count == 2 && lines[1].contains("could not be unregistered"))
            }
        }
    }

    @Test("After too many failures, the message says when to try again")
    func afterTooManyFailuresTheMessageSaysWhenToTryAgain() async throws {
        try await HubFixture.run { environment, _ in
            try await ScriptedBackend.run { _, _ in
                .status(429, ["Retry-After": "40"])
            } _: { origin, _ in
                let result = try await Self.run(
                    at: origin, environment.merging(["HUBSEND_DEVICE_PASSWORD": "sesame"]) { $1 },
                    status: 75)
                #expect(result.complaints.contains("alice after too many failures"))
                #expect(result.complaints.contains("Try again in 40 s."))
            }
        }
    }

    @Test(
        "A hub that disappears is reported immediately, as the only cause",
        arguments: [[], ["--quiet"]])
    func hubThatDisappearsIsReportedImmediatelyAsTheOnlyCause(arguments: [String]) async throws {
        // The stream ends immediately, and after that the hub is gone.
        try await ScriptedBackend.run { _, number in
            .status(number == 0 ? 200 : 404)
        } _: { hub, watched in
            try await ScriptedBackend.run {
                Self.keeping($0, $1)
            } _: { origin, backend in
                let result = try await Self.run(arguments, at: origin, Self.hub(hub), status: 2)
                let lines = result.complaints.split(separator: "\n")
                let isQuiet = !arguments.isEmpty
                #expect(lines.count == (isQuiet ? 1 : 2), "\(result.complaints)")
                #expect(lines.last?.contains("There is no hub with that name") == true)
                #expect(
                    isQuiet
                        || lines[0].hasSuffix("was lost; retrying for a minute.")
                            && lines[0].contains(hub)
                )
                #expect(backend.requests.map(\.method) == ["POST", "PUT", "DELETE"])
                #expect(watched.requests.count == 2)
            }
        }
    }
}
