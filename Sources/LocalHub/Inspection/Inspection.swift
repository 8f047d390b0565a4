import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Lets a person or a program look at what devices received: `curl http://127.0.0.1:PORT/.hubsend/devices/alice`.
///
/// Below `/.hubsend` are `devices/{user}`, `installations/{id}` and `registrations/{id}`; `?hub=NAME` names another
/// hub of the namespace than the first. The answer is JSON: `{"user":…,"devices":[{"registration","installation",
/// "platform","handle","tags","count","pushes"}]}`, and a push is `{"sequence","notification","time","outcome",
/// "reason","headers","body"}`, the newest first, at most 100 of a device. With `?after=N` these are the oldest
/// behind the sequence N, at most 100 in all, and `?after=now` those to come. The same with `/events` behind it is a stream: ``PushEvents``.
///
/// Looking needs no token, so only whom ``InspectionAccess`` lets in gets here.
struct Inspection {
    /// The most digits of a sequence.
    private static let mostDigits = 18

    /// The name of the hub that is looked into unless the request names one.
    let hubName: String
    /// What all hubs share.
    let environment: HubEnvironment

    /// Answers a request below `/.hubsend`.
    ///
    /// - Throws: a 404 for an unknown path or hub, a 405 for anything but GET, a 400 for a sequence that is none, a 503 for a stream too many.
    func answer(to request: HubRequest) throws(HubFailure) -> HubAnswer {
        let path = request.target.segments
        let isStream = path.count == 4 && path[3].lowercased() == "events"
        guard path.count == 3 || isStream,
            let devices = InspectedDevices(kind: path[1], name: path[2])
        else { throw .nothingToInspect }
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        let hubName = request.target.query["hub"] ?? hubName
        guard let hub = environment.namespace.hub(named: hubName) else {
            throw .noHubToInspect
        }
        let after =
            request.target.query["after"] == "now"
            ? hub.update { $0.devices.newestSequence }
            : try sequence(request.target.query["after"], "after")
        if isStream {
            // A client that lost its connection says how far it got, and repeats its first address.
            let last = try sequence(request.headers["last-event-id"], "Last-Event-ID")
            return .events(
                try PushEvents(of: devices, after: last ?? after ?? 0, in: hub, environment))
        }
        let report = InspectionReport(of: devices, after: after, in: hub)
        return .response(
            Response(
                status: .ok, headers: Self.fields("application/json; charset=utf-8"),
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoded(report)))))
    }

    /// The headers of every answer: nothing is stored, and nothing is taken for what it is not.
    static func fields(_ contentType: String) -> HTTPFields {
        InspectionFields.make(contentType)
    }

    private func sequence(_ text: String?, _ what: String) throws(HubFailure) -> Int? {
        guard let text else { return nil }
        guard text.utf8.count <= Self.mostDigits, let sequence = Int(text), sequence >= 0 else {
            throw .badRequest(
                "\(what) is no sequence of a push; use a whole number from 0, or now.")
        }
        return sequence
    }

    private func encoded(_ report: InspectionReport) throws(HubFailure) -> Data {
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

extension HubFailure {
    /// There is nothing to look at under this path.
    fileprivate static let nothingToInspect = HubFailure(
        status: .notFound,
        detail:
            "There is nothing here; look at /.hubsend/devices/USER, /.hubsend/installations/ID or "
            + "/.hubsend/registrations/ID, with /events behind it for a stream.")

    /// The query names a hub that is not there.
    fileprivate static let noHubToInspect = HubFailure(
        status: .notFound, detail: "There is no hub of that name.")
}
