import CampaignCore

/// What failures are counted for: an address of version 4, or the first half of one of version 6.
///
/// Behind that half (/64) is one network, in which everybody can choose any address (RFC 4291,
/// section 2.5.4).
struct LimitedAddress: Hashable, Sendable {
    /// Empty for an address that is not known: those share one count.
    private let bytes: [UInt8]

    init(_ address: IPAddress?) {
        bytes = address.map { $0.bytes.count == 4 ? $0.bytes : Array($0.bytes[..<8]) } ?? []
    }

    /// The address, or of version 6 the network, as it is written; nil for one that is not known.
    var text: String? {
        switch bytes.count {
        case 0: return nil
        case 4: return bytes.map { String($0) }.joined(separator: ".")
        default:
            let groups = stride(from: 0, to: bytes.count, by: 2).map { index in
                String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
            }
            return groups.joined(separator: ":") + "::/64"
        }
    }
}
