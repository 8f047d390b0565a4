import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// One authorised request to one hub, and what its answer is made of.
///
/// Each operation is a method in an extension beside the types that it works with.
struct HubExchange {
    /// The request.
    let request: HubRequest
    /// The ids of the request.
    let tracking: RequestTracking
    /// The hub that the path names.
    let hub: HubStore
    /// What all hubs share.
    let environment: HubEnvironment

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: headers on top of the ids, `Content-Type` among them where a body is not XML.
    ///   - body: the body.
    func response(
        _ status: HTTPResponse.Status, headers: KeyValuePairs<String, String> = [:],
        body: String = ""
    ) -> Response {
        tracking.response(status, headers: headers, body: body)
    }
}

extension HubExchange {
    /// Does what an operation asks for.
    ///
    /// - Parameter operation: the operation.
    /// - Throws: why the hub refuses it.
    func answer(_ operation: HubOperation) throws(HubFailure) -> HubAnswer {
        switch operation {
        case .send: try send()
        case .directSend: try directSend()
        case .batchSend: try batchSend()
        case .testSend: try testSend()
        case .scheduleSend: try scheduleSend()
        case .cancelScheduledSend(let id): .response(try cancelScheduledSend(id: id))
        case .telemetry(let id): .response(try telemetry(id: id))
        case .feedbackContainer: .response(feedbackContainer())
        case .createRegistrationID: .response(createRegistrationID())
        case .createRegistration: .response(try createRegistration())
        case .putRegistration(let id): .response(try putRegistration(id: id))
        case .registration(let id): .response(try registration(id: id))
        case .deleteRegistration(let id): .response(try deleteRegistration(id: id))
        case .registrations: .response(try registrations())
        case .registrationsByChannel(let filter): .response(try registrations(filter: filter))
        case .registrationsByTag(let tag): .response(try registrations(tag: tag))
        case .putInstallation(let id): .response(try putInstallation(id: id))
        case .patchInstallation(let id): .response(try patchInstallation(id: id))
        case .installation(let id): .response(try installation(id: id))
        case .deleteInstallation(let id): .response(try deleteInstallation(id: id))
        case .createJob: .response(try createJob())
        case .job(let id): .response(try job(id: id))
        case .jobs: .response(jobs())
        // About a hub itself, which need not exist: `EntityExchange` answers before the hub is looked up.
        case .entity: throw .unknownPath
        }
    }
}
