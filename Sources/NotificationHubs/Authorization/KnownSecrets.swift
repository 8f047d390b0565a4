import CampaignCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The client's secrets, which are hidden in any text from a hub.
///
/// Any eight consecutive letters and digits identify a secret, whatever their case and whatever is
/// between them, so a secret is also found if it is percent-encoded, wrapped, truncated or
/// Base64-encoded.
final class KnownSecrets: Sendable {
    static let none = KnownSecrets([])

    private static let mark = "(hidden)"

    /// Shorter secrets are found only as a whole, because their pieces may be words.
    private static let leastInPieces = 24

    /// Shorter secrets are ignored, because they may be ordinary words.
    private static let leastWhole = 8

    private let pieces: Set<UInt64>
    private let whole: [String]
    /// One bit per hash of a piece, so that text without secrets is rarely looked up in the set.
    private let bits: [UInt64]

    init(_ secrets: [String]) {
        var pieces: Set<UInt64> = []
        var whole: [String] = []
        for secret in secrets {
            if secret.utf8.count(where: { PieceReader.folded($0) != nil }) >= Self.leastInPieces {
                for form in Self.forms(of: secret) { Self.collect(form, in: &pieces) }
            } else if secret.count >= Self.leastWhole {
                whole.append(secret)
            }
        }
        var bits = [UInt64](repeating: 0, count: pieces.isEmpty ? 0 : 1_024)
        for piece in pieces {
            let place = Self.place(of: piece)
            bits[place >> 6] |= 1 << UInt64(place & 63)
        }
        self.pieces = pieces
        self.whole = whole
        self.bits = bits
    }

    func areTold(by text: some Sequence<UInt8>) -> Bool {
        guard !pieces.isEmpty else { return false }
        var reader = PieceReader()
        for byte in text where reader.take(byte) {
            if let piece = reader.piece, isKnown(piece) { return true }
        }
        return false
    }

    /// Hides every word that contains a piece of a secret.
    func hidden(in text: String) -> String {
        var text = text
        for secret in whole { text = text.replacing(secret, with: Self.mark) }
        guard !pieces.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var reader = PieceReader()
        var places: [Int] = []
        var told: [Range<Int>] = []
        for (place, byte) in bytes.enumerated() where reader.take(byte) {
            places.append(place)
            guard place >= told.last?.upperBound ?? 0, let piece = reader.piece, isKnown(piece)
            else { continue }
            let start = places[places.count - PieceReader.length]
            told.append(Self.word(around: start, place, in: bytes))
        }
        guard !told.isEmpty else { return text }
        var shown: [UInt8] = []
        var end = 0
        for range in told {
            if range.lowerBound >= end {
                shown += bytes[end..<range.lowerBound]
                shown += Array(Self.mark.utf8)
            }
            end = range.upperBound
        }
        return String(decoding: shown + bytes[end...], as: UTF8.self)
    }

    private func isKnown(_ piece: UInt64) -> Bool {
        let place = Self.place(of: piece)
        return bits[place >> 6] >> UInt64(place & 63) & 1 == 1 && pieces.contains(piece)
    }

    private static func place(of piece: UInt64) -> Int {
        Int((piece &* 0x9E37_79B9_7F4A_7C15) >> 48)
    }

    /// A secret as it is, in Base64 at each of the three possible offsets, and in percent-encoded
    /// Base64.
    private static func forms(of secret: String) -> [String] {
        let texts = [secret, PercentEncoding.encode(secret)].map { Array($0.utf8) }
        let encoded = texts.flatMap { text in
            (0...2).map { offset in
                Data(Array(repeating: 0, count: offset) + text).base64EncodedString()
                    // These characters depend on the bytes before the secret.
                    .dropFirst(offset == 0 ? 0 : offset + 1)
            }
        }
        return [secret] + encoded.map(String.init)
    }

    private static func collect(_ form: String, in pieces: inout Set<UInt64>) {
        var reader = PieceReader()
        for byte in form.utf8 where reader.take(byte) {
            if let piece = reader.piece { pieces.insert(piece) }
        }
    }

    /// The range of the words between two positions, excluding a name that ends in `=` or `:`.
    private static func word(around start: Int, _ end: Int, in bytes: [UInt8]) -> Range<Int> {
        let before = bytes[..<start].lastIndex {
            !isOfWord($0) || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":")
        }
        let after = bytes[end...].firstIndex { !isOfWord($0) }
        return (before.map { $0 + 1 } ?? 0)..<(after ?? bytes.count)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !#""'<>(),"#.utf8.contains(byte)
    }
}

extension KnownSecrets: CustomStringConvertible, CustomReflectable {
    var description: String { "KnownSecrets(hidden)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// Reads the letters and digits of some text, and stores the last eight, the newest in the lowest
/// byte.
private struct PieceReader {
    static let length = 8

    private var last: UInt64 = 0
    private var count = 0
    /// The number of characters of a percent escape that have been read, and its first digit.
    private var encoded = 0
    private var high: UInt8 = 0

    /// The last eight letters and digits.
    var piece: UInt64? { count >= Self.length ? last : nil }

    /// Processes the next byte, decoding percent-encoding; returns whether it was a letter or
    /// digit.
    mutating func take(_ byte: UInt8) -> Bool {
        guard encoded > 0 else { return keep(byte) }
        let isSecond = encoded == 2
        encoded = 0
        guard let digit = Self.hexadecimal(byte) else { return keep(byte) }
        if isSecond { return keep(high << 4 | digit) }
        high = digit
        encoded = 2
        return false
    }

    private mutating func keep(_ byte: UInt8) -> Bool {
        guard let folded = Self.folded(byte) else {
            // An encoded percent sign starts another escape.
            if byte == UInt8(ascii: "%") { encoded = 1 }
            return false
        }
        last = last << 8 | UInt64(folded)
        count += 1
        return true
    }

    /// A letter in lower case, or a digit.
    static func folded(_ byte: UInt8) -> UInt8? {
        // This code has few branches, because every id from a hub passes through it.
        let lower = byte | 0x20
        if lower &- 0x61 < 26 { return lower }
        return byte &- 0x30 < 10 ? byte : nil
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
