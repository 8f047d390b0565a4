import CampaignCore

/// Some of a run's recipients, who follow each other by name.
///
/// Of each wave they are a range of numbers, so that what is known of them is read range by range and then put in order.
struct RecipientPage {
    /// Their numbers in each wave.
    private var parts: [Range<Int>]
    /// Of which wave each is, in name order; empty where there is only one.
    private var order: [Int] = []
    /// The number of the last; nil when there is nobody.
    private(set) var last: Int?

    /// People without a gap between their numbers.
    init(_ numbers: Range<Int>) {
        parts = [numbers]
        last = numbers.last
    }

    /// Nobody yet, of several waves.
    fileprivate init(waves: Int) {
        parts = Array(repeating: 0..<0, count: waves)
    }

    /// Adds the next one, whose number is the next of their wave's.
    fileprivate mutating func append(_ number: Int, of wave: Int) {
        let start = parts[wave].isEmpty ? number : parts[wave].lowerBound
        parts[wave] = start..<(number + 1)
        order.append(wave)
        last = number
    }

    fileprivate var count: Int { order.count }

    /// Reads what is known of the people, and puts it in the order of their names.
    ///
    /// - Parameter read: reads it of a range of numbers, and hands it over in their order, each value with the number that it is of; of a
    ///   number there may be none or several.
    /// - Throws: what `read` throws.
    func values<Value>(
        _ read: (_ numbers: Range<Int>, _ take: (_ number: Int, Value) -> Void) throws -> Void
    ) rethrows -> [Value] {
        var values: [Value] = []
        guard !order.isEmpty else {
            for part in parts where !part.isEmpty {
                try read(part) { _, value in values.append(value) }
            }
            return values
        }
        // Numbers and values apart, the first of each last: a look at a number copies no value, and what is taken is moved.
        var found: [(numbers: [Int], values: [Value])] = []
        for part in parts {
            var (numbers, values): ([Int], [Value]) = ([], [])
            if !part.isEmpty {
                try read(part) { number, value in
                    numbers.append(number)
                    values.append(value)
                }
            }
            numbers.reverse()
            values.reverse()
            found.append((numbers, values))
        }
        values.reserveCapacity(found.reduce(0) { $0 + $1.values.count })
        var numbers = parts.map(\.lowerBound)
        for wave in order {
            while found[wave].numbers.last == numbers[wave] {
                found[wave].numbers.removeLast()
                values.append(found[wave].values.removeLast())
            }
            numbers[wave] += 1
        }
        return values
    }
}

extension RecipientOrder {
    /// The next recipients by name.
    ///
    /// Where there are waves, the names are read of those who are returned, and of each wave as many more as a search takes, and a few ahead.
    ///
    /// - Parameters:
    ///   - number: the last one's of the page before, 0 at first.
    ///   - limit: how many at most, at least 1.
    /// - Returns: nobody at the end.
    /// - Throws: `DatabaseError`.
    func page(after number: Int, limit: Int) throws -> RecipientPage {
        guard waves.count > 1 else {
            return RecipientPage(min(number + 1, count + 1)..<(min(number + limit, count) + 1))
        }
        var page = RecipientPage(waves: waves.count)
        var names = waves.map { WaveNames(of: $0) }
        // The least one last.
        var heads = try heads(after: number).sorted(by: >)
        while page.count < limit, let head = heads.popLast() {
            page.append(head.number, of: head.wave)
            let name = try names[head.wave].name(of: head.number + 1, in: self)
            guard let next = self.head(head.number + 1, of: head.wave, name, behind: head.name)
            else { continue }
            var (low, high) = (0, heads.count)
            while low < high {
                let middle = (low + high) / 2
                if next < heads[middle] { low = middle + 1 } else { high = middle }
            }
            heads.insert(next, at: low)
        }
        return page
    }

    /// Where each wave goes on behind a recipient.
    private func heads(after number: Int) throws -> [WaveHead] {
        guard number <= count else { return [] }
        let own = waves.firstIndex { $0.contains(number) }
        let name = try own.map { try place(of: number, in: waves[$0]) }
        return try waves.enumerated().compactMap { index, wave in
            guard let own, let name else {
                return try head(wave.lowerBound, of: index, behind: .nameless)
            }
            if index == own { return try head(number + 1, of: index, behind: name) }
            // Those without a name before all others come wave by wave.
            if name == .nameless, own < index {
                return try head(wave.lowerBound, of: index, behind: .nameless)
            }
            guard let next = try self.number(notBefore: name, in: wave) else { return nil }
            return try head(next, of: index, behind: .nameless)
        }
    }

    /// - Parameter previous: behind which name the wave goes on.
    /// - Returns: nil when the wave has no such number.
    private func head(
        _ number: Int, of wave: Int, behind previous: Username
    ) throws -> WaveHead? {
        let name = waves[wave].contains(number) ? try name(of: number) : nil
        return head(number, of: wave, name, behind: previous)
    }

    private func head(
        _ number: Int, of wave: Int, _ name: Username?, behind previous: Username
    ) -> WaveHead? {
        guard let name else { return nil }
        return WaveHead(name: name == .nameless ? previous : name, wave: wave, number: number)
    }

    /// The name by which a recipient has their place among those of other waves: their own, or, if they were forgotten, that of the
    /// one before them who was not; none when there is nobody.
    private func place(of number: Int, in wave: Range<Int>) throws -> Username {
        for number in (wave.lowerBound...number).reversed() {
            let name = try name(of: number)
            if name != .nameless { return name }
        }
        return .nameless
    }
}

/// The next recipient of a wave.
private struct WaveHead: Comparable {
    /// By which they have their place.
    let name: Username
    let wave: Int
    let number: Int

    static func < (left: WaveHead, right: WaveHead) -> Bool {
        left.name < right.name || (left.wave < right.wave && left.name == right.name)
    }
}

/// The names of a wave's recipients, read ahead.
private struct WaveNames {
    /// How many are read at once: of those that a page has no use for, there are as many at most in each wave.
    private static let chunk = 32

    private let wave: Range<Int>
    /// Those that were read last.
    private var names: [Username] = []
    /// The number of the first of these.
    private var first = 0

    init(of wave: Range<Int>) {
        self.wave = wave
    }

    /// The name of a recipient.
    ///
    /// - Returns: nil when the wave has no such number.
    mutating func name(of number: Int, in order: RecipientOrder) throws -> Username? {
        guard wave.contains(number) else { return nil }
        if !names.indices.contains(number - first) {
            first = number
            names = try order.names(of: number...(min(number + Self.chunk, wave.upperBound) - 1))
        }
        return names[number - first]
    }
}
