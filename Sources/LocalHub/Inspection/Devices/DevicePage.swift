/// A page of the list of devices, as JSON shows it.
struct DevicePage: Encodable {
    private enum CodingKeys: CodingKey {
        case devices, total, next
    }

    /// The devices.
    let devices: [DeviceSummary]
    /// How many there are on all pages.
    let total: Int
    /// The `from` of the next page; nil at the end.
    let next: Int?

    /// The next page is null at the end.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(devices, forKey: .devices)
        try container.encode(total, forKey: .total)
        try container.encode(next, forKey: .next)
    }
}
