import CampaignCore
import TestSupport
import Testing

@testable import NotificationHubs

/// Whichever way pages go out, the same comes of them.
@Suite(.bounded) struct LaneConformanceTests {
    private func results(
        _ lane: Lane, _ connectionString: String, _ page: PushPage,
        requestTimeout: Duration = .seconds(120), trusting roots: [String] = []
    ) async throws -> [PushResult] {
        try await NotificationHubClient.with(
            connectionString, concurrency: 1, requestTimeout: requestTimeout, trusting: roots
        ) { client in
            let batches = Batches()
            await lane.sender(client).send(page) { batches.take($0) }
            return batches.results
        }
    }

    private func results(_ lane: Lane, _ example: LaneCase) async throws -> [PushResult] {
        guard example.isEndless else {
            return try #require(
                try await results(lane, example, requestTimeout: .seconds(120)))
        }
        return try await ShortTimeout.reachingTheHub(from: .milliseconds(500)) {
            try await results(lane, example, requestTimeout: $0)
        }
    }

    /// Sends a case's page; nil when no request got to the hub in time, though some should have.
    private func results(
        _ lane: Lane, _ example: LaneCase, requestTimeout: Duration
    ) async throws -> [PushResult]? {
        try await ScriptedHub.with(
            answersEarly: example.answersEarly, script: example.script
        ) { hub in
            var page = try PushPage.example(example.dispositions.count)
            if let size = example.bodySize {
                page.pushes[0].body = Array(repeating: UInt8(ascii: "x"), count: size)
            }
            let results = try await results(
                lane, hub.connectionString(), page, requestTimeout: requestTimeout)
            if example.isEndless, hub.record.requests.isEmpty { return nil }
            // Then the head of its answer came too late.
            if example.isEndless, example.dispositions == [.accepted],
                results.map(\.disposition) == [.unknown]
            {
                return nil
            }
            #expect(
                hub.record.requests.count == results.reduce(0) { $0 + $1.requests },
                "every request is counted, and no other")
            return results
        }
    }

    @Test(arguments: LaneCase.answers + LaneCase.framings + LaneCase.losses)
    func bothLanesSayTheSame(example: LaneCase) async throws {
        let direct = try await results(.direct, example)
        let general = try await results(.general, example)

        #expect(direct.map(\.disposition) == example.dispositions)
        #expect(direct.map(\.requests) == example.requests)
        #expect(direct == general)
    }

    @Test func nothingListening() async throws {
        let page = try PushPage.example(2)
        let direct = try await results(.direct, ScriptedHub.refusing, page)

        #expect(
            direct.map(\.disposition)
                == Array(repeating: .retry(after: nil, cause: .unreachable), count: 2))
        #expect(direct.map(\.requests) == [0, 0])
        #expect(try await results(.general, ScriptedHub.refusing, page) == direct)
    }

    @Test func aNameThatIsNotResolved() async throws {
        let name =
            "Endpoint=sb://no-such-hub.invalid/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"
        for lane in Lane.allCases {
            let results = try await results(lane, name, try .example(1))
            #expect(results.map(\.disposition) == [.retry(after: nil, cause: .unreachable)])
            #expect(results.map(\.requests) == [0])
            #expect(results.map(\.detail) == ["the name no-such-hub.invalid does not resolve"])
        }
    }

    @Test(arguments: [
        (TLSIdentity?.some(.loopback), true, PushDisposition.accepted),
        (.some(.loopback), false, .stop(.notAHub)), (.some(.otherHost), true, .stop(.notAHub)),
        (.some(.commonNameOnly), true, .stop(.notAHub)),
        (nil, false, .retry(after: nil, cause: .unreachable)),
    ])
    func certificates(
        identity: TLSIdentity?, isTrusted: Bool, disposition: PushDisposition
    ) async throws {
        let roots = isTrusted ? [identity?.certificate].compactMap(\.self) : []
        try await ScriptedHub.with(tls: identity, script: { _, _ in .accepted }) { hub in
            for host in ["localhost", "127.0.0.1"] {
                let name = hub.connectionString(scheme: "sb", host: host)
                let direct = try await results(.direct, name, try .example(1), trusting: roots)
                let general = try await results(.general, name, try .example(1), trusting: roots)
                #expect(direct.map(\.disposition) == [disposition])
                #expect(direct == general)
            }
            #expect(hub.record.requests.count == (disposition == .accepted ? 4 : 0))
        }
    }

    @Test func aRequestIsTheSameWhicheverWayItGoes() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let name = hub.connectionString()
            for lane in Lane.allCases { _ = try await results(lane, name, try .example(1)) }
            let requests = hub.record.requests
            try #require(requests.count == 2)
            let open = ["trackingid", "authorization"]
            let headers = requests.map { request in
                request.headers.filter { !open.contains($0.name.lowercased()) }
                    .map { "\($0.name): \($0.value)" }
            }
            #expect(headers[0] == headers[1])
            #expect(requests[0].headers.map(\.name) == requests[1].headers.map(\.name))
            #expect(requests[0].uri == requests[1].uri)
            #expect(requests[0].body == requests[1].body)
        }
    }
}
