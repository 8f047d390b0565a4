import Foundation
import HTTPTypes
import HummingbirdCore
import TestSupport
import Testing

@testable import LocalHub

/// Sends the requests of all wire fixtures, damaged with a fixed seed, to a hub without a socket.
@Suite(.bounded)
struct DamagedRequestTests {
    /// The parts of a request, which can be damaged separately.
    private struct Parts {
        var method: String
        var path: String
        var headers: [(name: String, value: String)]
        var body: [UInt8]

        init?(_ request: WireRequest) {
            let end = Array("\r\n\r\n".utf8)
            guard let head = request.first.firstRange(of: end) else { return nil }
            let lines = String(decoding: request.first[..<head.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            let words = lines[0].components(separatedBy: " ")
            guard words.count == 3 else { return nil }
            method = words[0]
            path = words[1]
            headers = lines.dropFirst().compactMap { line in
                let name = line.prefix { $0 != ":" }
                return name == "Host" ? nil : (String(name), String(line.dropFirst(name.count + 2)))
            }
            body = Array(request.first[head.upperBound...]) + (request.rest ?? [])
        }

        /// The head as the hub gets it; nil if no HTTP server would accept it.
        var head: HTTPRequest? {
            guard let method = HTTPRequest.Method(method) else { return nil }
            var fields: HTTPFields = [:]
            for header in headers { fields.add(header.name, header.value) }
            return HTTPRequest(
                method: method, scheme: "http", authority: "127.0.0.1:80", path: path,
                headerFields: fields)
        }
    }

    private static func requests(of names: [String]) throws -> [Parts] {
        let captured = [
            "id": "1-1-1", "token": "MQ", "template": "2-2-1", "first": "3-3-1", "second": "4-4-1",
            "job": "5",
        ]
        return try names.flatMap { try WireFixture(named: $0).exchanges }.compactMap { exchange in
            try Parts(WireRequest(exchange.request, host: "127.0.0.1:80", captured: captured))
        }
    }

    private func isAnswered(_ parts: Parts, by hub: Hub) -> Bool {
        guard let head = parts.head else { return true }
        guard case .response(let response) = hub.answer(head, body: parts.body, isPeerLocal: true)
        else { return false }
        // Only jobs with blobs on other machines are not implemented.
        return (200..<500).contains(response.status.code) || response.status == .notImplemented
    }

    @Test("Damaged requests never cause an internal error")
    func damagedRequestsNeverCauseAnInternalError() throws {
        var damage = Damage(seed: 8)
        let requests = try Self.requests(
            of: ["Operations", "Clients", "Malformed"].flatMap(WireFixture.names)
        ).filter { $0.body.count <= 65_536 }
        #expect(requests.count > 300)
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        let hub = try Hub(configuration)
        for _ in 0..<4 {
            for whole in requests {
                var request = whole
                switch damage.number(below: 4) {
                // A deletion with a shorter path could delete the hub.
                case 0 where request.method != "DELETE":
                    request.path = String(
                        decoding: damage.damaged(Array(request.path.utf8)), as: UTF8.self)
                case 1 where !request.headers.isEmpty:
                    let index = damage.number(below: request.headers.count)
                    request.headers[index].value = String(
                        decoding: damage.damaged(Array(request.headers[index].value.utf8)),
                        as: UTF8.self)
                default:
                    request.body = damage.damaged(request.body)
                }
                #expect(isAnswered(request, by: hub), "\(request)")
            }
        }
        let send = try #require(try Self.requests(of: ["Operations/send-native.http"]).first)
        let head = try #require(send.head)
        guard case .response(let response) = hub.answer(head, body: send.body, isPeerLocal: true)
        else {
            Issue.record("The hub no longer answers.")
            return
        }
        #expect(response.status == .created)
    }
}
