import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Lets a person look at what devices received: `curl http://127.0.0.1:PORT/.hubsend/devices/alice`.
///
/// The answer is JSON: `{"user":…,"devices":[{"installation","platform","handle","tags","count","pushes"}]}`,
/// and a push is `{"notification","time","outcome","headers","body"}`, the newest first, at most 100 of a
/// device. There is no token, so only requests to a loopback host are answered.
struct Inspection {
    private struct Report: Encodable {
        let user: String
        let devices: [DeviceReport]
    }

    /// The hub.
    let hub: HubStore

    /// Answers a request below `/.hubsend`.
    ///
    /// - Throws: a 403 for a host that is not loopback, a 404 for an unknown path, a 405 for anything but GET.
    func response(to request: HubRequest) throws(HubFailure) -> Response {
        guard request.authority.isLoopback else {
            throw HubFailure(
                status: .forbidden,
                detail: "Devices are only shown to requests for localhost, 127.0.0.1 or [::1].")
        }
        let path = request.target.segments
        guard path.count == 3, path[1].lowercased() == "devices" else { throw .unknownPath }
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        let report = Report(
            user: path[2],
            devices: hub.update { $0.devices(of: path[2]) }
                .map { DeviceReport($0.registration, $0.mailbox) })
        var fields: HTTPFields = [:]
        fields.add("Content-Type", "application/json; charset=utf-8")
        fields.add("Cache-Control", "no-store")
        fields.add("X-Content-Type-Options", "nosniff")
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoded(report))))
    }

    private func encoded(_ report: Report) throws(HubFailure) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(report) + Data("\n".utf8)
        } catch {
            throw HubFailure(
                status: .internalServerError, detail: "The devices could not be written as JSON.")
        }
    }
}
