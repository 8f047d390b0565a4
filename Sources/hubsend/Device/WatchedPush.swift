import DeviceClient
import Foundation

/// A push that the local hub handed to a device, as its event tells of it.
struct WatchedPush: Decodable {
    private enum CodingKeys: String, CodingKey {
        case registration, outcome, body
        case bodyBase64 = "body_base64"
    }

    /// The registration that led to the device.
    let registration: String
    /// Whether it reached the device, as far as the hub pretends.
    let isDelivered: Bool
    /// The push's body as it was sent.
    let body: Data

    /// Reads an event's data.
    init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        registration = try object.decode(String.self, forKey: .registration)
        isDelivered = try object.decode(String.self, forKey: .outcome) == "Success"
        if let text = try object.decodeIfPresent(String.self, forKey: .body) {
            body = Data(text.utf8)
        } else {
            body = try object.decode(Data.self, forKey: .bodyBase64)
        }
    }
}
