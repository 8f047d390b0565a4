import Foundation
import HTTPServing
import Hummingbird
import HummingbirdCore
import NIOCore

import struct Foundation.Date

struct FeedbackLog: Sendable {
    private let limit: Int
    /// The entries, oldest first.
    private(set) var entries: CircularBuffer<FeedbackEntry> = []

    init(limits: LocalHubLimits) {
        limit = limits.feedback
    }

    /// Adds an entry if a push shows that its handle is no longer valid.
    mutating func add(_ result: PushResult, of notificationID: String, at time: Date) {
        guard [.wrongToken, .badChannel, .expiredChannel].contains(result.outcome) else { return }
        let registration = result.target.registration
        if entries.count == limit { entries.removeFirst() }
        entries.append(
            FeedbackEntry(
                time: time, outcome: result.outcome, device: result.target.device,
                registrationID: registration?.id, installationID: registration?.installationID,
                notificationID: notificationID))
    }
}

/// A push service's report that a handle is no longer valid.
struct FeedbackEntry: Sendable, Hashable, Codable {
    let time: Date
    let outcome: PushOutcome
    let device: DeviceAddress
    let registrationID: String?
    let installationID: String?
    let notificationID: String

    var xml: String {
        "<PnsFeedback \(XMLText.serviceNamespaces)>"
            + XMLText.element("FeedbackTime", time.formatted(.iso8601))
            + XMLText.element("NotificationSystemError", outcome.rawValue)
            + XMLText.element("Platform", device.platform.format)
            + XMLText.element("PnsHandle", device.handle)
            + (registrationID.map { XMLText.element("RegistrationId", $0) } ?? "")
            + (installationID.map { XMLText.element("InstallationId", $0) } ?? "")
            + XMLText.element("NotificationId", notificationID) + "</PnsFeedback>"
    }
}

/// The page that replaces the feedback container: `PnsFeedback` documents, one per line, oldest
/// first.
///
/// It contains handles but requires no token, so ``InspectionAccess`` checks who can read it.
struct FeedbackPage {
    static let segment = "feedback"

    let namespace: HubNamespace

    static func path(of hub: String) -> String {
        "/\(InspectionPath.root)/\(segment)/\(PercentEncoding.encode(hub))"
    }

    func response(to request: HubRequest) throws(HubFailure) -> Response {
        let path = request.target.segments
        guard path.count == 3, let hub = namespace.hub(named: path[2]) else {
            throw HubFailure(
                status: .notFound,
                detail: "There is no hub with that name; use /.hubsend/feedback/HUB.")
        }
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        let entries = hub.update { $0.feedback.entries }
        return Response(
            status: .ok, headers: InspectionFields.make("text/plain; charset=utf-8"),
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: entries.map { $0.xml + "\n" }.joined())))
    }
}
