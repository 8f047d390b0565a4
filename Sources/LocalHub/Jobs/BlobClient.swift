import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix

/// Reads and writes whole blobs with `GET` and `PUT`, within limits, over loopback only and without
/// following redirects.
struct BlobClient: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The first version of Azure's blob protocol that has this form of `PUT`.
    private static let version = "2019-02-02"

    /// The maximum size of a blob in bytes.
    let limit: Int
    let timeout: Duration

    /// Reads a blob; throws ``BlobFailure`` or `CancellationError`.
    func read(_ address: BlobAddress) async throws -> ByteBuffer {
        try await send(.GET, to: address, body: nil)
    }

    /// Writes a blob; throws ``BlobFailure`` or `CancellationError`.
    func write(_ bytes: ByteBuffer, to address: BlobAddress) async throws {
        _ = try await send(.PUT, to: address, body: bytes)
    }

    private func send(
        _ method: HTTPMethod, to address: BlobAddress, body: ByteBuffer?
    ) async throws -> ByteBuffer {
        try await withThrowingTaskGroup(of: ByteBuffer.self) { tasks in
            tasks.addTask { try await exchange(method, with: address, body: body) }
            tasks.addTask {
                try await Task.sleep(for: timeout)
                throw BlobFailure.late
            }
            defer { tasks.cancelAll() }
            guard let answer = try await tasks.next() else { throw CancellationError() }
            return answer
        }
    }

    private func exchange(
        _ method: HTTPMethod, with address: BlobAddress, body: ByteBuffer?
    ) async throws -> ByteBuffer {
        let connection = try await connect(to: address)
        do {
            return try await connection.executeThenClose { inbound, outbound in
                do {
                    // The request is sent with a single write, because a server that has already
                    // received all the data may respond and close the connection before a separate
                    // last part is sent.
                    try await outbound.write(contentsOf: Self.request(method, of: address, body))
                } catch {
                    // A server that refuses a blob may close the connection before the upload is
                    // complete; its response then contains the reason.
                    try Task.checkCancellation()
                }
                return try await answer(inbound)
            }
        } catch let failure as BlobFailure {
            throw failure
        } catch {
            try Task.checkCancellation()
            throw BlobFailure.broken
        }
    }

    private static func request(
        _ method: HTTPMethod, of address: BlobAddress, _ body: ByteBuffer?
    ) -> [HTTPClientRequestPart] {
        var head = HTTPRequestHead(
            version: .http1_1, method: method, uri: address.path + address.query)
        head.headers.add(name: "Host", value: "\(address.host):\(address.port)")
        head.headers.add(name: "x-ms-version", value: version)
        if let body {
            head.headers.add(name: "x-ms-blob-type", value: "BlockBlob")
            head.headers.add(name: "Content-Type", value: "text/plain; charset=utf-8")
            head.headers.add(name: "Content-Length", value: "\(body.readableBytes)")
        }
        head.headers.add(name: "Connection", value: "close")
        return [.head(head)] + (body.map { [.body(.byteBuffer($0))] } ?? []) + [.end(nil)]
    }

    private func answer(
        _ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>
    ) async throws -> ByteBuffer {
        var bytes = ByteBuffer()
        for try await part in parts {
            switch part {
            case .head(let head):
                let status = Int(head.status.code)
                guard status >= 200 else { continue }
                guard status < 300 else { throw BlobFailure.refused(status: status) }
            case .body(let chunk):
                guard bytes.readableBytes + chunk.readableBytes <= limit else {
                    throw BlobFailure.tooLarge(limit: limit)
                }
                bytes.writeImmutableBuffer(chunk)
            case .end:
                return bytes
            }
        }
        throw BlobFailure.broken
    }

    private func connect(to address: BlobAddress) async throws -> Connection {
        // The name `localhost` is not resolved, because a hosts file may assign it to another
        // machine.
        let hosts =
            address.host == "localhost"
            ? ["127.0.0.1", "::1"] : [address.host.filter { $0 != "[" && $0 != "]" }]
        for host in hosts {
            do {
                return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connectTimeout(.seconds(5))
                    .connect(to: try SocketAddress(ipAddress: host, port: address.port)) {
                        channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHTTPClientHandlers()
                            return try Connection(wrappingChannelSynchronously: channel)
                        }
                    }
            } catch {
                // The server may be listening on the next address instead.
                continue
            }
        }
        try Task.checkCancellation()
        throw BlobFailure.notReached
    }
}

/// The reason why a blob could not be read or written, without its address or signature.
enum BlobFailure: Error, Equatable {
    case notReached
    case refused(status: Int)
    /// The response is incomplete or not HTTP.
    case broken
    case late
    case tooLarge(limit: Int)
}

extension BlobFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .notReached: "could not be reached; start the blob store"
        case .refused(let status) where (300...399).contains(status):
            "returned status \(status), but a local hub does not follow redirects"
        case .refused(let status):
            "returned status \(status); check its name and its signature"
        case .broken: "did not return a complete HTTP response"
        case .late: "did not answer in time"
        case .tooLarge(let limit): "has more than \(limit) bytes, the limit for a job"
        }
    }
}
