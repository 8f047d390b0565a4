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
}
