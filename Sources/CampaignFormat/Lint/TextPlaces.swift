import YAMLSyntax

/// Tells what is in a file's texts from what is outside of them.
struct TextPlaces {
    /// In order, without overlaps.
    private var ranges: [Range<Int>] = []

    init(in root: YAMLNode, of bytes: [UInt8]) {
        var found: [Range<Int>] = []
        Self.collect(root, from: bytes, &found)
        found.sort { $0.lowerBound < $1.lowerBound }
        for range in found {
            // An alias repeats what it stands for.
            if let last = ranges.last, range.lowerBound < last.upperBound {
                let end = max(last.upperBound, range.upperBound)
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(range)
            }
        }
    }

    private static func collect(
        _ node: YAMLNode, from bytes: [UInt8], _ found: inout [Range<Int>]
    ) {
        switch node.content {
        case .scalar(let scalar):
            let end = min(node.range.end.offset, bytes.count)
            var start = node.range.start.offset
            if scalar.style == .literal || scalar.style == .folded {
                // After the | or > that begins a block comes a comment.
                while start < end, bytes[start] != 0x0A, bytes[start] != 0x0D { start += 1 }
            }
            if start < end { found.append(start..<end) }
        case .sequence(let items):
            for item in items { collect(item, from: bytes, &found) }
        case .mapping(let entries):
            for entry in entries {
                collect(entry.key, from: bytes, &found)
                collect(entry.value, from: bytes, &found)
            }
        }
    }

    func contain(_ byte: Int) -> Bool {
        let index = Self.firstIndex(below: ranges.count) { ranges[$0].upperBound > byte }
        return index < ranges.count && ranges[index].contains(byte)
    }

    /// Binary search; returns `count` if no number below it satisfies the condition.
    static func firstIndex(below count: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
