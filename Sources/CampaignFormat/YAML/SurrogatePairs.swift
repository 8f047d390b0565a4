/// Pairs of escapes as in JSON for characters beyond U+FFFF, such as `\ud83d\ude00`, which libyaml
/// refuses.
///
/// libyaml gets text in which each pair is replaced by one character that the file does not
/// contain. After that, its events are mapped back to the file's own text. In double quotes, a pair
/// becomes its character; elsewhere, a pair remains the twelve characters that were written.
struct SurrogatePairs {
    private static let length = 12

    /// The text for libyaml, in UTF-8.
    let joined: [UInt8]
    /// The character that replaces a pair.
    private let mark: Unicode.Scalar
    /// The place of each pair in ``joined``, in Unicode scalars, its meaning and its spelling.
    private let pairs: [(place: Int, scalar: Unicode.Scalar, written: String)]

    /// Finds the pairs; nil if the text has no pair.
    ///
    /// - Parameter bytes: valid UTF-8.
    init?(in bytes: ArraySlice<UInt8>) {
        let escape = UInt8(ascii: "\\")
        var joined: [UInt8] = []
        var places: [(byte: Int, place: Int, scalar: Unicode.Scalar, written: String)] = []
        var index = bytes.startIndex
        var scalars = 0
        var isEscaped = false
        while index < bytes.endIndex {
            if bytes[index] == escape, !isEscaped, let scalar = Self.scalar(in: bytes, at: index) {
                let end = index + Self.length
                places.append(
                    (
                        joined.count, scalars, scalar,
                        String(decoding: bytes[index..<end], as: UTF8.self)
                    ))
                index = end
                scalars += 1
                continue
            }
            isEscaped = bytes[index] == escape && !isEscaped
            if !bytes[index].isUTF8Continuation { scalars += 1 }
            joined.append(bytes[index])
            index += 1
        }
        guard !places.isEmpty else { return nil }
        let taken = Set(
            String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { $0.value >= 0xF_0000 })
        // The search only fails if a file contains all 131,068 of these private characters.
        guard
            let mark = (0xF_0000...0x10_FFFD).lazy.compactMap(Unicode.Scalar.init)
                .first(where: { !taken.contains($0) && $0.value & 0xFFFE != 0xFFFE })
        else { return nil }
        self.mark = mark
        pairs = places.map { ($0.place, $0.scalar, $0.written) }
        let marked = Array(String(mark).utf8)
        var start = 0
        var text: [UInt8] = []
        text.reserveCapacity(joined.count + 4 * places.count)
        for place in places {
            text += joined[start..<place.byte]
            text += marked
            start = place.byte
        }
        self.joined = text + joined[start...]
    }

    /// The character that a pair at an index represents; nil if there is no pair at the index.
    static func scalar(in bytes: ArraySlice<UInt8>, at index: Int) -> Unicode.Scalar? {
        guard let high = code(in: bytes, at: index), (0xD800..<0xDC00).contains(high),
            let low = code(in: bytes, at: index + length / 2), (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    /// The number in an escape of four digits; nil if there is no escape at the index.
    private static func code(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32? {
        guard index >= bytes.startIndex, index + length / 2 <= bytes.endIndex,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        var number: UInt32 = 0
        for byte in bytes[(index + 2)..<(index + length / 2)] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            number = number << 4 | UInt32(digit)
        }
        return number
    }

    /// Maps a place in ``joined`` to one in the file's text, both in Unicode scalars.
    private func place(of index: Int) -> Int {
        index + (Self.length - 1) * first(from: index)
    }

    /// The number of the first pair that is not before a place in ``joined``.
    private func first(from index: Int) -> Int {
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].place < index { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Maps an event to the file's own text.
    func restored(_ event: ParserEvent) -> ParserEvent {
        var kind = event.kind
        if case .scalar(let scalar, let properties) = kind,
            scalar.text.unicodeScalars.contains(mark)
        {
            kind = .scalar(
                restored(scalar, in: first(from: event.start)..<first(from: event.end)), properties)
        }
        return ParserEvent(kind: kind, start: place(of: event.start), end: place(of: event.end))
    }

    private func restored(_ scalar: YAMLScalar, in numbers: Range<Int>) -> YAMLScalar {
        let marks = scalar.text.unicodeScalars.count { $0 == mark }
        // A comment in the first line of a block may contain more pairs.
        var number = numbers.upperBound - marks
        var text = String.UnicodeScalarView()
        for part in scalar.text.unicodeScalars {
            guard part == mark, pairs.indices.contains(number) else {
                text.append(part)
                continue
            }
            if scalar.style == .doubleQuoted {
                text.append(pairs[number].scalar)
            } else {
                text.append(contentsOf: pairs[number].written.unicodeScalars)
            }
            number += 1
        }
        return YAMLScalar(text: String(text), style: scalar.style)
    }

    /// Maps a problem to its place in the file's own text.
    func restored(_ problem: LibYAMLProblem) -> LibYAMLProblem {
        LibYAMLProblem(
            problem: problem.problem, index: place(of: problem.index), context: problem.context,
            contextIndex: place(of: problem.contextIndex))
    }
}
