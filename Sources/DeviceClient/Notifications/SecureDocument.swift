/// A secure notification as the backend gives it out.
struct SecureDocument: Decodable {
    private enum CodingKeys: String, CodingKey {
        case payload = "Payload"
    }

    /// The text.
    let payload: String
}
