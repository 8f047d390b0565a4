import CampaignCore

/// Counts recent failures by key in leaky buckets, each stored as the time when it will be empty.
///
/// Memory use is bounded. When there is no room for another key, the quarter of the buckets that
/// would empty first is dropped, so a full bucket is dropped only if three quarters of all buckets
/// are at least as full.
struct FailureCounts<Key: Hashable & Sendable>: Sendable {
    private let allowed: Int
    private let interval: Duration
    private let limit: Int
    private var emptyAt: [Key: ContinuousClock.Instant] = [:]

    /// `allowed` failures fill a bucket, which loses one failure every `interval`; `limit` is the
    /// maximum number of buckets.
    init(allowed: Int, interval: Duration, limit: Int) {
        self.allowed = allowed
        self.interval = interval
        self.limit = limit
    }

    var count: Int { emptyAt.count }

    /// How long the bucket stays full; nil if it has room.
    func wait(for key: Key, now: ContinuousClock.Instant) -> Duration? {
        guard let end = emptyAt[key] else { return nil }
        let over = (end - now) - interval * (allowed - 1)
        return over > .zero ? over : nil
    }

    func failures(of key: Key, now: ContinuousClock.Instant) -> Int {
        guard let end = emptyAt[key], end > now else { return 0 }
        return Int(((end - now) / interval).rounded(.up))
    }

    mutating func add(_ key: Key, now: ContinuousClock.Instant) {
        makeRoom(for: key, now: now)
        emptyAt[key] = max(emptyAt[key] ?? now, now) + interval
    }

    /// Removes a failure that turned out to be a success.
    mutating func forgive(_ key: Key, now: ContinuousClock.Instant) {
        guard let end = emptyAt[key] else { return }
        emptyAt[key] = end - interval > now ? end - interval : nil
    }

    /// Drops empty buckets or, if there are none, the quarter that would empty first.
    private mutating func makeRoom(for key: Key, now: ContinuousClock.Instant) {
        guard emptyAt.count >= limit, emptyAt[key] == nil else { return }
        emptyAt = emptyAt.filter { $0.value > now }
        guard emptyAt.count >= limit else { return }
        let first = emptyAt.sorted { $0.value < $1.value }.prefix(limit / 4 + 1)
        for (key, _) in first { emptyAt[key] = nil }
    }
}

/// The address whose failures are counted: an IPv4 address, or the /64 network of an IPv6 address.
///
/// A machine in a /64 network can choose any address in it (RFC 4291, section 2.5.4).
struct LimitedAddress: Hashable, Sendable {
    /// Empty for unknown addresses, which share one count.
    private let bytes: [UInt8]

    init(_ address: IPAddress?) {
        bytes = address.map { $0.bytes.count == 4 ? $0.bytes : Array($0.bytes[..<8]) } ?? []
    }

    /// The address or IPv6 network as text; nil if unknown.
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
