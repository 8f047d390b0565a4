import YAMLSyntax

/// Where the texts of a file stand, to tell what stands in one from what stands beside them.
struct TextPlaces {
    /// In order, and none reaches into another.
    private var ranges: [Range<Int>] = []

    /// Collects them, each node being visited once.
    ///
    /// - Parameters:
    ///   - root: the file's value.
    ///   - bytes: the file.
    init(in root: YAMLNode, of bytes: [UInt8]) {
        var found: [Range<Int>] = []
        Self.collect(root, from: bytes, &found)
        found.sort { $0.lowerBound < $1.lowerBound }
        for range in found {
            // What an alias stands for comes once more.
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
                // What stands behind the | or > that begins a block is a comment.
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

    /// Whether a byte belongs to a text.
    func contain(_ byte: Int) -> Bool {
        let index = Self.firstIndex(below: ranges.count) { ranges[$0].upperBound > byte }
        return index < ranges.count && ranges[index].contains(byte)
    }

    /// The first number that satisfies a condition which holds from some number on, found by halves.
    ///
    /// - Returns: `count` where there is none below it.
    static func firstIndex(below count: Int, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
