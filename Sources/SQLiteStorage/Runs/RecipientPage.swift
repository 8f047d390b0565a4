import CampaignCore

/// Consecutive recipients of a run, by name.
///
/// In each wave they are a range of numbers, so data about them is read range by range, and then
/// put in order.
struct RecipientPage {
    private var parts: [Range<Int>]
    /// The wave of each, in name order; empty if there is only one.
    private var order: [Int] = []
    private(set) var last: Int?

    init(_ numbers: Range<Int>) {
        parts = [numbers]
        last = numbers.last
    }

    fileprivate init(waves: Int) {
        parts = Array(repeating: 0..<0, count: waves)
    }

    fileprivate mutating func append(_ number: Int, of wave: Int) {
        let start = parts[wave].isEmpty ? number : parts[wave].lowerBound
        parts[wave] = start..<(number + 1)
        order.append(wave)
        last = number
    }

    fileprivate var count: Int { order.count }

    /// Reads data about the people, and puts it in the order of their names.
    ///
    /// `read` passes the values of a range of numbers in order, none or several for each number.
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
        // Numbers and values are separate, in reverse order: comparing copies no value, and taking
        // moves it.
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
    /// The next recipients by name, after the last number of the previous page (0 at first).
    ///
    /// With waves, the names of all returned people are read, and a few more of each wave.
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

    /// Where each wave continues after a recipient.
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

    /// nil when the wave has no such number.
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

    /// The name that decides about a recipient's place among other waves: their own, or that of the
    /// last one with a name.
    private func place(of number: Int, in wave: Range<Int>) throws -> Username {
        for number in (wave.lowerBound...number).reversed() {
            let name = try name(of: number)
            if name != .nameless { return name }
        }
        return .nameless
    }
}

private struct WaveHead: Comparable {
    let name: Username
    let wave: Int
    let number: Int

    static func < (left: WaveHead, right: WaveHead) -> Bool {
        left.name < right.name || (left.wave < right.wave && left.name == right.name)
    }
}

private struct WaveNames {
    /// How many are read at once; at most as many are read in vain in each wave.
    private static let chunk = 32

    private let wave: Range<Int>
    private var names: [Username] = []
    private var first = 0

    init(of wave: Range<Int>) {
        self.wave = wave
    }

    /// nil when the wave has no such number.
    mutating func name(of number: Int, in order: RecipientOrder) throws -> Username? {
        guard wave.contains(number) else { return nil }
        if !names.indices.contains(number - first) {
            first = number
            names = try order.names(of: number...(min(number + Self.chunk, wave.upperBound) - 1))
        }
        return names[number - first]
    }
}
