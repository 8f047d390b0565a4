import CampaignCore

/// Reads a file of the time zone database (TZif: RFC 9636, section 3).
///
/// Foundation's time zones are as old as its build, whereas the system's are kept up to date.
struct TimeZoneFile {
    /// The size limit in bytes, which is ample: a real file has only a few hundred changes.
    static let limit = 1 << 20

    private static let headLength = 44

    private struct Counts {
        let leapSeconds: Int
        let times: Int
        let types: Int
        let bytes: Int

        init(_ head: TimeZoneFile, _ start: Int, timeSize: Int) throws(Damage) {
            var numbers: [Int] = []
            for index in 0..<6 { numbers.append(try head.number(at: start + 20 + index * 4)) }
            let (isUT, isStandard, characters) = (numbers[0], numbers[1], numbers[5])
            (leapSeconds, times, types) = (numbers[2], numbers[3], numbers[4])
            guard numbers.allSatisfy({ (0...TimeZoneFile.limit).contains($0) }), types > 0 else {
                throw Damage()
            }
            bytes =
                times * (timeSize + 1) + types * 6 + characters + leapSeconds * (timeSize + 4)
                + isStandard + isUT
        }
    }

    private struct Damage: Error {}

    private let bytes: [UInt8]

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// nil if this is not a time zone file, or if it is damaged or counts leap seconds.
    static func rules(of bytes: [UInt8], name: String) -> TimeZoneRules? {
        do throws(Damage) {
            return try TimeZoneFile(bytes).rules(name: name)
        } catch {
            return nil
        }
    }

    private func rules(name: String) throws(Damage) -> TimeZoneRules {
        guard bytes.starts(with: "TZif".utf8), bytes.count > Self.headLength else {
            throw Damage()
        }
        // Since version 2, the data is repeated in 64 bits, with a rule for later times.
        let isWide = bytes[4] >= UInt8(ascii: "2")
        let size = isWide ? 8 : 4
        var head = 0
        if isWide { head = Self.headLength + (try Counts(self, 0, timeSize: 4)).bytes }
        let counts = try Counts(self, head, timeSize: size)
        guard counts.leapSeconds == 0 else { throw Damage() }
        let times = head + Self.headLength
        let places = times + counts.times * size
        let types = places + counts.times
        var changes: [TimeZoneRules.Change] = []
        for index in 0..<counts.times {
            let instant = try number(at: times + index * size, size: size)
            let type = Int(try byte(at: places + index))
            guard type < counts.types, changes.last.map({ $0.instant < instant }) ?? true else {
                throw Damage()
            }
            changes.append(
                TimeZoneRules.Change(instant: instant, offset: try offset(at: types + type * 6)))
        }
        return TimeZoneRules(
            name: name, offset: try offset(at: types), changes: changes,
            rule: isWide ? try rule(at: head + Self.headLength + counts.bytes) : nil)
    }

    /// Reads an offset in seconds ahead of UTC; RFC 9636 allows -25 to 26 hours.
    private func offset(at place: Int) throws(Damage) -> Int {
        let offset = try number(at: place)
        guard (-25 * 3_600...26 * 3_600).contains(offset) else { throw Damage() }
        return offset
    }

    /// The text between the two line breaks at the end; nil if it is empty.
    private func rule(at place: Int) throws(Damage) -> ZoneRule? {
        guard try byte(at: place) == UInt8(ascii: "\n") else { throw Damage() }
        let text = bytes[(place + 1)...].prefix { $0 != UInt8(ascii: "\n") }
        guard text.endIndex < bytes.count else { throw Damage() }
        guard !text.isEmpty else { return nil }
        guard let rule = ZoneRule(String(decoding: text, as: UTF8.self)) else { throw Damage() }
        return rule
    }

    /// Reads a signed number with the most significant byte first.
    private func number(at place: Int, size: Int = 4) throws(Damage) -> Int {
        guard place >= 0, place + size <= bytes.count else { throw Damage() }
        let bits = bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4
            ? Int(Int32(bitPattern: UInt32(bits))) : Int(Int64(bitPattern: bits))
    }

    private func byte(at place: Int) throws(Damage) -> UInt8 {
        guard bytes.indices.contains(place) else { throw Damage() }
        return bytes[place]
    }
}
