import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// An authorised request to a hub; each operation is a method, defined next to the types that it
/// uses.
struct HubExchange {
    let request: HubRequest
    let tracking: RequestTracking
    let hub: HubStore
    let environment: HubEnvironment

    /// A response with the ids of the request; if the body is not XML, `headers` must contain its
    /// `Content-Type`.
    func response(
        _ status: HTTPResponse.Status, headers: KeyValuePairs<String, String> = [:],
        body: String = ""
    ) -> Response {
        tracking.response(status, headers: headers, body: body)
    }
}

extension HubExchange {
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
        // `EntityExchange` handles these operations before the hub is looked up, because it may not
        // exist.
        case .entity: throw .unknownPath
        }
    }
}
