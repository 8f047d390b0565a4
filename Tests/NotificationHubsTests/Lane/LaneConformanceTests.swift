import CampaignCore
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import NotificationHubs

/// Tests that pushes have the same results on every route.
@Suite(.bounded) struct LaneConformanceTests {
    /// The routes: over the connections for bulk pushes, directly or through a proxy, or one by
    /// one.
    private enum Way: CaseIterable {
        case direct, proxied, oneByOne
    }

    private func results(
        _ way: Way, _ connectionString: String, _ page: PushPage,
        requestTimeout: Duration = .seconds(120), trusting roots: [String] = []
    ) async throws -> [PushResult] {
        try await NotificationHubClient.with(
            connectionString, route: way == .proxied ? .proxied : .direct, concurrency: 1,
            requestTimeout: requestTimeout, trusting: roots
        ) { client in
            guard way != .oneByOne else { return try await oneByOne(client, page) }
            let batches = Batches()
            await HubPushSender(client: client).send(page) { batches.take($0) }
            return batches.results
        }
    }

    private func oneByOne(
        _ client: NotificationHubClient, _ page: PushPage
    ) async throws -> [PushResult] {
        var results: [PushResult] = []
        var isStopped = false
        for push in page.pushes {
            guard !isStopped else {
                results.append(PushResult(number: push.number, disposition: .notSent, requests: 0))
                continue
            }
            let result = try await result(client, push, of: page)
            if case .stop = result.disposition { isStopped = true }
            results.append(result)
        }
        return results
    }

    private func result(
        _ client: NotificationHubClient, _ push: Push, of page: PushPage
    ) async throws -> PushResult {
        let exchange = await client.exchange(
            client.encoder.request(
                shared: client.encoder.headers(for: page), tags: try push.tags.get(),
                trackingID: "one-by-one", authorization: "", body: ByteBuffer(bytes: push.body)),
            method: .POST, at: client.sendURL, bodyLimit: HTTPTransport.bodyLimit)
        switch exchange.result {
        case .success(let answer):
            let error = HubError(refusedBy: answer)
            let isAccepted = error.disposition == .accepted
            return PushResult(
                number: push.number,
                disposition: PushDisposition(error.disposition, isAnswered: true),
                detail: isAccepted ? "" : error.summary,
                hubMessage: isAccepted ? answer.locationID : nil, requests: exchange.requests)
        case .failure(let failure):
            return PushResult(
                number: push.number, disposition: PushDisposition(failure),
                detail: failure.summary, requests: exchange.requests)
        }
    }

    private func results(_ way: Way, _ example: LaneCase) async throws -> [PushResult] {
        guard example.isEndless else {
            return try #require(try await results(way, example, requestTimeout: .seconds(120)))
        }
        return try await ShortTimeout.reachingTheHub(from: .milliseconds(500)) {
            try await results(way, example, requestTimeout: $0)
        }
    }

    /// Sends a case's page; nil if no request reached the hub in time although a request should
    /// have.
    private func results(
        _ way: Way, _ example: LaneCase, requestTimeout: Duration
    ) async throws -> [PushResult]? {
        try await ScriptedHub.with(
            answersEarly: example.answersEarly, script: example.script
        ) { hub in
            var page = try PushPage.example(example.dispositions.count)
            if let size = example.bodySize {
                page.pushes[0].body = Array(repeating: UInt8(ascii: "x"), count: size)
            }
            let results = try await results(
                way, hub.connectionString(), page, requestTimeout: requestTimeout)
            if example.isEndless, hub.record.requests.isEmpty { return nil }
            // The head of the response arrived too late.
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

    @Test(
        "A direct, a proxied and a single push have the same result",
        arguments: LaneCase.answers + LaneCase.framings + LaneCase.losses)
    func directAProxiedAndASinglePushHaveTheSameResult(example: LaneCase) async throws {
        let direct = try await results(.direct, example)

        #expect(direct.map(\.disposition) == example.dispositions)
        #expect(direct.map(\.requests) == example.requests)
        #expect(try await results(.proxied, example) == direct)
        #expect(try await results(.oneByOne, example) == direct)
    }

    @Test("A refused connection has the same result on every route")
    func refusedConnectionHasTheSameResultOnEveryRoute() async throws {
        let page = try PushPage.example(2)
        let direct = try await results(.direct, ScriptedHub.refusing, page)

        #expect(
            direct.map(\.disposition)
                == Array(repeating: .retry(after: nil, cause: .unreachable), count: 2))
        #expect(direct.map(\.requests) == [0, 0])
        #expect(try await results(.oneByOne, ScriptedHub.refusing, page) == direct)
    }

    @Test("An unresolved name has the same result on every route")
    func unresolvedNameHasTheSameResultOnEveryRoute() async throws {
        let name =
            "Endpoint=sb://no-such-hub.invalid/;SharedAccessKeyName=Send;SharedAccessKey=\(Secret.key)"
        for way in Way.allCases {
            let results = try await results(way, name, try .example(1))
            #expect(results.map(\.disposition) == [.retry(after: nil, cause: .unreachable)])
            #expect(results.map(\.requests) == [0])
            #expect(results.map(\.detail) == ["the name no-such-hub.invalid does not resolve"])
        }
    }

    @Test(
        "A certificate is judged the same way on every route",
        arguments: [
            (TLSIdentity?.some(.loopback), true, PushDisposition.accepted),
            (.some(.loopback), false, .stop(.notAHub)), (.some(.otherHost), true, .stop(.notAHub)),
            (.some(.commonNameOnly), true, .stop(.notAHub)),
            (nil, false, .retry(after: nil, cause: .unreachable)),
        ])
    func certificateIsJudgedTheSameWayOnEveryRoute(
        identity: TLSIdentity?, isTrusted: Bool, disposition: PushDisposition
    ) async throws {
        let roots = isTrusted ? [identity?.certificate].compactMap(\.self) : []
        try await ScriptedHub.with(tls: identity, script: { _, _ in .accepted }) { hub in
            for host in ["localhost", "127.0.0.1"] {
                let name = hub.connectionString(scheme: "sb", host: host)
                let page = try PushPage.example(1)
                let direct = try await results(.direct, name, page, trusting: roots)
                #expect(direct.map(\.disposition) == [disposition])
                #expect(try await results(.proxied, name, page, trusting: roots) == direct)
                #expect(try await results(.oneByOne, name, page, trusting: roots) == direct)
            }
            #expect(hub.record.requests.count == (disposition == .accepted ? 6 : 0))
        }
    }

    @Test("A request is the same on every route") func requestIsTheSameOnEveryRoute() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let name = hub.connectionString()
            for way in Way.allCases { _ = try await results(way, name, try .example(1)) }
            let requests = hub.record.requests
            try #require(requests.count == 3)
            let open = ["trackingid", "authorization"]
            let headers = requests.map { request in
                request.headers.filter { !open.contains($0.name.lowercased()) }
                    .map { "\($0.name): \($0.value)" }
            }
            for other in 1...2 {
                #expect(headers[0] == headers[other])
                #expect(requests[0].headers.map(\.name) == requests[other].headers.map(\.name))
                #expect(requests[0].uri == requests[other].uri)
                #expect(requests[0].body == requests[other].body)
            }
        }
    }
}
