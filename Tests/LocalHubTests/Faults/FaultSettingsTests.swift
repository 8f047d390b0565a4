import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct FaultSettingsTests {
    /// Reads whole numbers as statuses, one per line.
    private static let read: @Sendable (String) throws(UnreadableFaults) -> [FaultRule] = {
        text throws(UnreadableFaults) in
        var rules: [FaultRule] = []
        for line in text.split(whereSeparator: \.isNewline) {
            guard let status = Int(line) else {
                throw UnreadableFaults(explanation: "body:1:1: \"\(line)\" is no number.")
            }
            rules.append(FaultRule(.answer(status: status, retryAfter: nil)))
        }
        return rules
    }

    private func run(_ test: @escaping @Sendable (HubUnderTest) async throws -> Void) async throws {
        try await HubUnderTest.run({ $0.readFaults = Self.read }, test)
    }

    @Test("Rules can be replaced, added and removed over HTTP")
    func rulesCanBeReplacedAddedAndRemovedOverHTTP() async throws {
        try await run { hub in
            let path = "/.hubsend/faults"
            let before = try await hub.request(.get, path, token: nil)
            #expect(before.text == "{\"on\":true,\"faults\":[],\"revision\":0}\n")
            #expect(before.header("Content-Type") == "application/json; charset=utf-8")
            let one = try await hub.change(.post, path, body: "500")
            #expect(one.text == "{\"on\":true,\"faults\":[\"status: 500\"],\"revision\":1}\n")
            let two = try await hub.change(.post, path, body: "429\n503")
            #expect(
                two.text
                    == "{\"on\":true,\"faults\":[\"status: 500\",\"status: 429\",\"status: 503\"],\"revision\":2}\n"
            )
            let less = try await hub.change(.delete, path + "/2")
            #expect(
                less.text
                    == "{\"on\":true,\"faults\":[\"status: 500\",\"status: 503\"],\"revision\":3}\n"
            )
            let other = try await hub.change(.put, path, body: "401")
            #expect(other.text == "{\"on\":true,\"faults\":[\"status: 401\"],\"revision\":4}\n")
            let none = try await hub.change(.delete, path)
            #expect(none.text == "{\"on\":true,\"faults\":[],\"revision\":5}\n")
        }
    }

    @Test("A new rule takes effect immediately, and turning faults off disables it")
    func newRuleTakesEffectImmediatelyAndTurningFaultsOffDisablesIt() async throws {
        try await run { hub in
            _ = try await hub.install("1", tags: ["username:alice"])
            _ = try await hub.change(.put, "/.hubsend/faults", body: "503")
            #expect(try await hub.send().status == .serviceUnavailable)
            let off = try await hub.change(.put, "/.hubsend/faults/switch", body: "off\n")
            #expect(off.text == "{\"on\":false,\"faults\":[\"status: 503\"],\"revision\":2}\n")
            #expect(try await hub.send().status == .created)
            let on = try await hub.change(.put, "/.hubsend/faults/switch", body: "on")
            #expect(on.text == "{\"on\":true,\"faults\":[\"status: 503\"],\"revision\":3}\n")
            #expect(try await hub.send().status == .serviceUnavailable)
        }
    }

    @Test("An invalid request changes no faults and explains why")
    func invalidRequestChangesNoFaultsAndExplainsWhy() async throws {
        try await run { hub in
            _ = try await hub.change(.put, "/.hubsend/faults", body: "503")
            for method in [HTTPRequest.Method.put, .post] {
                let wrong = try await hub.change(method, "/.hubsend/faults", body: "a \"b\"")
                #expect(wrong.status == .badRequest)
                #expect(
                    wrong.text
                        == "{\"error\":\"body:1:1: \\\"a \\\"b\\\"\\\" is no number.\"}\n")
            }
            let word = try await hub.change(.put, "/.hubsend/faults/switch", body: "maybe")
            #expect(word.status == .badRequest)
            let many = Array(repeating: "500", count: 101).joined(separator: "\n")
            #expect(
                try await hub.change(.put, "/.hubsend/faults", body: many).status == .badRequest)
            let gone = try await hub.change(.delete, "/.hubsend/faults/2")
            #expect(gone.status == .notFound)
            #expect(gone.text.contains("numbered 1 to 1"))
            let after = try await hub.request(.get, "/.hubsend/faults", token: nil)
            #expect(after.text == "{\"on\":true,\"faults\":[\"status: 503\"],\"revision\":1}\n")
        }
    }

    @Test("A rule is not removed if the revision has changed")
    func ruleIsNotRemovedIfTheRevisionHasChanged() async throws {
        try await run { hub in
            _ = try await hub.change(.put, "/.hubsend/faults", body: "500\n503")
            _ = try await hub.change(.put, "/.hubsend/faults", body: "401\n429")
            let late = try await hub.change(.delete, "/.hubsend/faults/1?revision=1")
            #expect(late.status == .conflict)
            #expect(late.text.contains("have changed since that revision"))
            let wrong = try await hub.change(.delete, "/.hubsend/faults/1?revision=x")
            #expect(wrong.status == .badRequest)
            let right = try await hub.change(.delete, "/.hubsend/faults/1?revision=2")
            #expect(right.text == "{\"on\":true,\"faults\":[\"status: 429\"],\"revision\":3}\n")
        }
    }

    @Test("Each change of the rules increases the revision")
    func eachChangeOfTheRulesIncreasesTheRevision() async throws {
        try await run { hub in
            var revisions: [Int] = []
            for (path, body) in [("", "500"), ("", "503"), ("/switch", "off"), ("/switch", "on")] {
                _ = try await hub.change(.put, "/.hubsend/faults" + path, body: body)
                let overview = try await hub.inspect("", as: InboxAnswers.Overview.self)
                #expect(overview.faults.count == 1)
                revisions.append(overview.faults.revision)
            }
            #expect(revisions == [1, 2, 3, 4])
        }
    }

    @Test("A body that is not text is refused") func bodyThatIsNotTextIsRefused() async throws {
        try await HubUnderAttack.run { hub in
            let head =
                "PUT /.hubsend/faults HTTP/1.1\r\nHost: 127.0.0.1\r\nHubsend-Token: \(hub.token)\r\n"
                + "Content-Length: 2\r\nConnection: close\r\n\r\n"
            let answer = try await RawConnection.exchange(
                port: hub.port, Array(head.utf8) + [0xFF, 0xFE])
            #expect(answer.hasPrefix("HTTP/1.1 400"))
        }
    }

    @Test("A hub without a rule reader refuses new rules")
    func hubWithoutARuleReaderRefusesNewRules() async throws {
        let hub = try HubUnderTest()
        for method in [HTTPRequest.Method.put, .post] {
            let response = try await hub.change(method, "/.hubsend/faults", body: "500")
            #expect(response.status == .notImplemented)
            #expect(response.text.hasPrefix("{\"error\":\"The program that started this hub"))
        }
        let off = try await hub.change(.put, "/.hubsend/faults/switch", body: "off")
        #expect(off.status == .ok)
    }

    @Test(
        "The refusal of a method lists the allowed methods",
        arguments: [
            (.patch, "faults", "GET, PUT, POST, DELETE"), (.get, "faults/1", "DELETE"),
            (.put, "faults/1", "DELETE"), (.get, "faults/switch", "PUT"),
            (.post, "faults/switch", "PUT"), (.post, "token", "GET"),
        ] as [(HTTPRequest.Method, String, String)])
    func refusalOfAMethodListsTheAllowedMethods(
        method: HTTPRequest.Method, path: String, allowed: String
    ) async throws {
        try await run { hub in
            let response = try await hub.change(method, "/.hubsend/" + path)
            #expect(response.status == .methodNotAllowed)
            #expect(response.header("Allow") == allowed)
            #expect(
                response.text
                    == "{\"error\":\"The method is not allowed here; use \(allowed).\"}\n")
        }
    }
}
