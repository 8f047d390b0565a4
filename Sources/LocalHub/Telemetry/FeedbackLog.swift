import Foundation
import HTTPServing
import Hummingbird
import HummingbirdCore
import NIOCore

import struct Foundation.Date

/// The newest feedback of push services about handles.
struct FeedbackLog: Sendable {
    private let limit: Int
    /// The entries, oldest first.
    private(set) var entries: CircularBuffer<FeedbackEntry> = []

    /// Makes an empty log.
    init(limits: LocalHubLimits) {
        limit = limits.feedback
    }

    /// Adds an entry for a push that shows that its handle does not work.
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

/// A push service's report that a handle does not work (reference, section 5).
struct FeedbackEntry: Sendable, Hashable, Codable {
    /// When it said so.
    let time: Date
    /// What is wrong.
    let outcome: PushOutcome
    /// The device.
    let device: DeviceAddress
    /// The registration that led there.
    let registrationID: String?
    /// The installation that the registration stands for.
    let installationID: String?
    /// The notification.
    let notificationID: String

    /// The entry as a `PnsFeedback` document on one line.
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

/// The page that stands in for the feedback container: `PnsFeedback` documents, one a line, oldest first.
///
/// It shows handles and needs no token, so ``InspectionAccess`` checks who may read it, as for all below `/.hubsend`.
struct FeedbackPage {
    /// The second segment of the page's path, in lower case.
    static let segment = "feedback"

    /// The hubs.
    let namespace: HubNamespace

    /// The path of a hub's page.
    static func path(of hub: String) -> String {
        "/\(InspectionPath.root)/\(segment)/\(PercentEncoding.encode(hub))"
    }

    /// Answers a request for `/.hubsend/feedback/{hub}`.
    ///
    /// - Throws: a 404 for an unknown hub, a 405 for anything but GET.
    func response(to request: HubRequest) throws(HubFailure) -> Response {
        let path = request.target.segments
        guard path.count == 3, let hub = namespace.hub(named: path[2]) else {
            throw HubFailure(
                status: .notFound,
                detail: "There is no hub of that name; look at /.hubsend/feedback/HUB.")
        }
        guard request.method == .get else { throw .methodNotAllowed("GET") }
        let entries = hub.update { $0.feedback.entries }
        return Response(
            status: .ok, headers: InspectionFields.make("text/plain; charset=utf-8"),
            body: ResponseBody(
                byteBuffer: ByteBuffer(string: entries.map { $0.xml + "\n" }.joined())))
    }
}
