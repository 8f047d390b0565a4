package import HTTPTypes
package import NIOCore
import NIOHTTP1
import NIOPosix

/// Makes each request over a new connection.
package struct SocketClient: TestClient {
    struct CutShort: Error {}

    private let serverPort: Int

    /// The port is on 127.0.0.1.
    package init(port: Int) {
        serverPort = port
    }

    package var port: Int? { serverPort }

    package func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields, body: ByteBuffer?
    ) async throws -> TestResponse {
        var head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: method.rawValue), uri: uri)
        head.headers.add(name: "Host", value: "localhost")
        for field in headers { head.headers.add(name: field.name.rawName, value: field.value) }
        if let body { head.headers.add(name: "Content-Length", value: "\(body.readableBytes)") }
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: serverPort) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                        wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { [head] inbound, outbound in
            var parts: [HTTPClientRequestPart] = [.head(head)]
            if let body { parts.append(.body(.byteBuffer(body))) }
            do {
                try await outbound.write(contentsOf: parts + [.end(nil)])
            } catch ChannelError.ioOnClosedChannel {
                // A server may answer and close before it has read everything.
            }
            return try await Self.answer(inbound)
        }
    }

    private static func answer(
        _ parts: NIOAsyncChannelInboundStream<HTTPClientResponsePart>
    ) async throws -> TestResponse {
        var status = HTTPResponse.Status.ok
        var headers = HTTPFields()
        var body = ByteBuffer()
        for try await part in parts {
            switch part {
            case .head(let head):
                status = HTTPResponse.Status(
                    code: Int(head.status.code), reasonPhrase: head.status.reasonPhrase)
                for (name, value) in head.headers {
                    guard let name = HTTPField.Name(name) else { continue }
                    headers.append(HTTPField(name: name, value: value))
                }
            case .body(let buffer):
                body.writeImmutableBuffer(buffer)
            case .end:
                return TestResponse(status: status, headers: headers, body: body)
            }
        }
        throw CutShort()
    }
}
