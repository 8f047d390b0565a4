/// What a device tells about itself.
struct RegistrationBody: Encodable {
    private enum CodingKeys: String, CodingKey {
        case platform = "Platform"
        case handle = "Handle"
        case tags = "Tags"
    }

    let platform: String
    let handle: String
    let tags: [String]
}
