/// A change to a store's files while nobody uses the store.
struct StoreMutation: Sendable, CustomStringConvertible {
    private enum Change: CaseIterable {
        case flippedBit, flippedHeaderBit, flippedLogBit, flippedMarkBit, garbage, zeroedPage
        case zeroedLogPart, misplacedPage, cutStore, emptiedStore, cutLog, lostLog, lostIndex
        case damagedIndex, lostMark
    }

    private static let page = 4_096

    let description: String
    /// The changed files, by name suffix.
    let files: [String: [UInt8]]

    /// - Parameter number: determines the kind of change; every third change flips a bit of the
    /// store's own file.
    init(
        of files: [String: [UInt8]], number: Int, using generator: inout some RandomNumberGenerator
    ) {
        let change =
            number.isMultiple(of: 3)
            ? .flippedBit : Change.allCases[(number - number / 3 - 1) % Change.allCases.count]
        var files = files
        let size = files["", default: []].count
        let target =
            switch change {
            case .flippedLogBit, .zeroedLogPart, .cutLog: "-wal"
            case .flippedMarkBit: ".mark"
            case .damagedIndex: "-shm"
            default: ""
            }
        let length = files[target]?.count ?? 0
        let offset = Int.random(in: 0..<max(1, length), using: &generator)
        let start = offset / Self.page * Self.page
        switch change {
        case .flippedBit, .flippedLogBit, .flippedMarkBit, .damagedIndex:
            Self.flip(offset, of: &files[target], using: &generator)
        case .flippedHeaderBit:
            Self.flip(offset % 100, of: &files[target], using: &generator)
        case .garbage:
            for place in offset..<min(offset + 64, size) {
                files[""]?[place] = .random(in: 0...255, using: &generator)
            }
        case .zeroedPage, .zeroedLogPart:
            for place in start..<min(start + Self.page, length) { files[target]?[place] = 0 }
        case .misplacedPage:
            let other = Int.random(in: 0..<max(1, size / Self.page), using: &generator) * Self.page
            let bytes = files["", default: []][start..<(start + Self.page)]
            files[""]?.replaceSubrange(other..<(other + Self.page), with: bytes)
        case .cutStore, .cutLog:
            files[target]?.removeSubrange(offset...)
        case .emptiedStore:
            files[""] = []
        case .lostLog:
            files["-wal"] = nil
        case .lostIndex:
            files["-shm"] = nil
        case .lostMark:
            files[".mark"] = nil
        }
        self.files = files
        description = "\(number): \(change) at \(offset) of \(length)"
    }

    private static func flip(
        _ offset: Int, of bytes: inout [UInt8]?, using generator: inout some RandomNumberGenerator
    ) {
        guard let count = bytes?.count, offset < count else { return }
        bytes?[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    }
}
