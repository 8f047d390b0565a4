import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird

/// The app backend that stores the payloads of pushes, accessed as one of its users.
package struct PayloadBackend: Sendable {
    package struct Payload: Sendable {
        /// The media type, such as `text/plain`.
        package let mediaType: String
        package let content: [UInt8]

        package init(mediaType: String, content: [UInt8]) {
            self.mediaType = mediaType
            self.content = content
        }
    }

    package struct Failure: Error, Hashable {
        /// Whether the backend has no such payload for the user.
        package let isGone: Bool
        /// The reason and what to do, in full sentences without secrets.
        package let explanation: String

        package init(isGone: Bool = false, explanation: String) {
            self.isGone = isGone
            self.explanation = explanation
        }
    }

    /// The backend's address, such as `https://push.example`.
    package let address: String
    package let user: String
    /// Fetches a payload on request, within limits on time and size, but does not store it.
    package let fetch: @Sendable (_ id: String) async throws(Failure) -> Payload

    package init(
        address: String, user: String,
        fetch: @escaping @Sendable (_ id: String) async throws(Failure) -> Payload
    ) {
        self.address = address
        self.user = user
        self.fetch = fetch
    }
}

struct PayloadFetch: Sendable {
    private let id: String
    private let backend: PayloadBackend
    private let permit: ConcurrencyLimit.Permit

    /// Starts a fetch; throws a 503 if there are too many fetches, streams and waiting requests.
    init(
        _ id: String, from backend: PayloadBackend, _ environment: HubEnvironment
    ) throws(HubFailure) {
        permit = try environment.streams.take()
        self.id = id
        self.backend = backend
    }

    /// Fetches the payload; the response is a ``PayloadReport``, or a 404 or 502 with the reason.
    func response() async -> Response {
        do {
            let payload = try await backend.fetch(id)
            return try InspectionResponse.json(PayloadReport(id: id, payload: payload))
        } catch let failure as PayloadBackend.Failure {
            return HubFailure(
                status: failure.isGone ? .notFound : .badGateway, detail: failure.explanation
            ).response(as: .json)
        } catch let failure as HubFailure {
            return failure.response(as: .json)
        } catch {
            return HubFailure(
                status: .internalServerError, detail: "The response could not be encoded as JSON."
            ).response(as: .json)
        }
    }
}

struct PayloadReport: Encodable {
    static let mostBytes = 65_536

    private enum CodingKeys: String, CodingKey {
        case id, bytes, cut, body
        case mediaType = "media_type"
        case bodyBase64 = "body_base64"
    }

    let id: String
    let payload: PayloadBackend.Payload

    /// The body is shown as text if it is UTF-8, otherwise as Base64; it may be truncated.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        // The page displays pictures, so they must be complete.
        let isPicture = payload.mediaType.lowercased().hasPrefix("image/")
        let shown = payload.content.prefix(isPicture ? payload.content.count : Self.mostBytes)
        try container.encode(id, forKey: .id)
        try container.encode(ShownText.make(payload.mediaType), forKey: .mediaType)
        try container.encode(payload.content.count, forKey: .bytes)
        try container.encode(shown.count < payload.content.count, forKey: .cut)
        if String(validating: payload.content, as: UTF8.self) != nil {
            try container.encode(String(decoding: shown, as: UTF8.self), forKey: .body)
        } else {
            try container.encode(Data(shown), forKey: .bodyBase64)
        }
    }
}
