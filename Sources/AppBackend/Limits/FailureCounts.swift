import CampaignCore

/// How often something failed lately, for many keys: a leaky bucket for each, kept as the time at
/// which it is empty.
///
/// Memory is bounded. When there is no room for another key, the quarter of the buckets that would
/// be empty first is forgotten, so that a full bucket is forgotten only when three quarters of all
/// are as full.
struct FailureCounts<Key: Hashable & Sendable>: Sendable {
    private let allowed: Int
    private let interval: Duration
    private let limit: Int
    private var emptyAt: [Key: ContinuousClock.Instant] = [:]

    /// Makes empty buckets.
    ///
    /// - Parameters:
    ///   - allowed: how many failures fill a bucket.
    ///   - interval: how long it takes until one of them is forgotten.
    ///   - limit: the most buckets that are kept.
    init(allowed: Int, interval: Duration, limit: Int) {
        self.allowed = allowed
        self.interval = interval
        self.limit = limit
    }

    /// How many buckets are kept.
    var count: Int { emptyAt.count }

    /// How long a full bucket stays full; nil for one with room.
    func wait(for key: Key, now: ContinuousClock.Instant) -> Duration? {
        guard let end = emptyAt[key] else { return nil }
        let over = (end - now) - interval * (allowed - 1)
        return over > .zero ? over : nil
    }

    /// How many failures are not forgotten yet.
    func failures(of key: Key, now: ContinuousClock.Instant) -> Int {
        guard let end = emptyAt[key], end > now else { return 0 }
        return Int(((end - now) / interval).rounded(.up))
    }

    /// Counts a failure.
    mutating func add(_ key: Key, now: ContinuousClock.Instant) {
        emptyAt.makeRoom(for: key, limit: limit, now: now) { $0 }
        emptyAt[key] = max(emptyAt[key] ?? now, now) + interval
    }

    /// Takes back a failure that turned out to be none.
    mutating func forgive(_ key: Key, now: ContinuousClock.Instant) {
        guard let end = emptyAt[key] else { return }
        emptyAt[key] = end - interval > now ? end - interval : nil
    }
}

extension Dictionary {
    /// Makes room for another key: forgets what has ended, and where that is not enough, the quarter
    /// that ends first.
    ///
    /// - Parameters:
    ///   - key: the key; nothing is forgotten when it is there already.
    ///   - limit: the most keys.
    ///   - now: the current time.
    ///   - end: when a value counts no longer.
    mutating func makeRoom(
        for key: Key, limit: Int, now: ContinuousClock.Instant,
        end: (Value) -> ContinuousClock.Instant
    ) {
        guard count >= limit, self[key] == nil else { return }
        self = filter { end($0.value) > now }
        guard count >= limit else { return }
        let first = sorted { end($0.value) < end($1.value) }.prefix(limit / 4 + 1)
        for (key, _) in first { self[key] = nil }
    }
}

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
