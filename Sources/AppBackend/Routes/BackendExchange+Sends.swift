import CampaignCore
import FoundationEssentials
import HTTPServing
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore

extension BackendExchange {
    /// How long a push service may keep a message for an offline device, in seconds.
    private static let messageLife: TimeInterval = 86_400

    /// `POST /api/notifications`, for the configured senders.
    ///
    /// With `pns` and `to_tag`, it sends a visible message to one user; without parameters, it
    /// sends a payload to the caller's own devices.
    func send() async throws -> BackendReply {
        guard environment.senders.contains(caller.username) else { throw BackendFailure.notASender }
        switch (query["pns"], query["to_tag"]) {
        case (nil, nil):
            return try await sendToSelf()
        case (let platform?, let name?):
            return try await send(
                to: try Self.username(name), on: try RegistrationDocument.platform(platform))
        default:
            throw BackendFailure.malformed(
                reason: "Give both pns and to_tag, or neither to send to your own devices.")
        }
    }

    // MARK: A visible message

    private func send(to recipient: Username, on platform: Platform) async throws -> BackendReply {
        let message: String
        do {
            message = try JSONDecoder().decode(String.self, from: Data(body.readableBytesView))
        } catch {
            throw BackendFailure.malformed(
                reason: "The body is not a message; write a JSON string, such as \"hello\".")
        }
        let form = DirectMessageBody(platform: platform)
        let bytes = form.bytes("From \(caller.username): \(message)")
        guard bytes.count <= form.limit else {
            throw BackendFailure.malformed(
                reason: "The message is too long; a push may have at most \(form.limit) bytes.")
        }
        let now = environment.now()
        let page = PushPage(
            platform: platform, contentType: form.contentType,
            headers: form.headers(expires: now.addingTimeInterval(Self.messageLife), now: now),
            pushes: [Push(number: 0, usernames: [recipient], body: bytes)], interval: nil)
        try judge(await environment.sender.result(ofOnly: page))
        return BackendReply(Response(empty: .ok), about: recipient.text)
    }

    private static func username(_ text: String) throws -> Username {
        do {
            return try Username(text)
        } catch {
            throw BackendFailure.malformed(
                reason: "The parameter \"to_tag\" \(error); give one username.")
        }
    }

    // MARK: A payload to oneself

    private struct OwnPayload: Decodable {
        let payload: String

        enum CodingKeys: String, CodingKey {
            case payload = "Payload"
        }
    }

    /// Stores a payload as a separate run and pushes its id to the caller's devices.
    private func sendToSelf() async throws -> BackendReply {
        let payload: String
        do {
            payload = try JSONDecoder().decode(
                OwnPayload.self, from: Data(body.readableBytesView)
            ).payload
        } catch {
            throw BackendFailure.malformed(
                reason: "The body is not a payload; write {\"Payload\":\"…\"}.")
        }
        let devices = try await environment.store.registrations(
            of: caller.username, handle: nil, limit: environment.limits.registrationsPerUser)
        let platforms = Platform.allCases.filter { devices.map(\.platform).contains($0) }
        guard !platforms.isEmpty else { throw BackendFailure.noDevice }
        let (id, results) = try await OwnRun(
            user: caller.username, platforms: platforms, environment: environment
        ).send(payload)
        if !results.contains(where: { $0.disposition == .accepted }), let first = results.first {
            try judge(first)
        }
        var json = JSONWriter()
        json.add("Id", id.text)
        return BackendReply(Response(json: json.text), about: id.text)
    }

    // MARK: The hub's answer

    /// Throws unless the hub accepted the push.
    private func judge(_ result: PushResult) throws {
        switch result.disposition {
        case .accepted:
            return
        case .rejected:
            environment.logger.notice(
                "The hub refused a message.", metadata: ["detail": "\(result.detail)"])
            throw BackendFailure.messageRefused
        case .retry(let delay, _):
            throw BackendFailure.busy(after: delay ?? .seconds(5))
        case .notSent:
            throw BackendFailure.busy(after: .seconds(5))
        case .unknown:
            throw BackendFailure.messageUncertain
        case .stop:
            environment.logger.error(
                "The hub refuses messages from this server; correct the connection string.",
                metadata: ["detail": "\(result.detail)"])
            throw BackendFailure.misconfigured
        }
    }
}
