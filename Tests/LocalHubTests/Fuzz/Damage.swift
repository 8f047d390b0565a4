import TestSupport

struct Damage {
    private var random: SeededGenerator

    /// The same seed always causes the same damage.
    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    /// Random pieces, which may repeat.
    mutating func soup(of pieces: [String], most: Int) -> String {
        (0..<number(below: most + 1)).map { _ in pieces[number(below: pieces.count)] }.joined()
    }

    /// The bytes with one to four changes: replaced, removed, duplicated or inserted bytes.
    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...number(below: 4) {
            let place = number(below: bytes.count + 1)
            let end = min(bytes.count, place + 1 + number(below: 16))
            switch number(below: 5) {
            case 0:
                bytes.replaceSubrange(
                    place..<end, with: [UInt8.random(in: 0...255, using: &random)])
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default: bytes.removeSubrange(place...)
            }
        }
        return bytes
    }
}

extension Array {
    fileprivate mutating func removeSubrange(_ rest: PartialRangeFrom<Int>) {
        removeSubrange(Swift.min(rest.lowerBound, count)..<count)
    }
}
