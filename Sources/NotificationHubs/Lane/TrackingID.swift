import NIOCore

/// The id of one request: a GUID that the hub may repeat and that Microsoft's support asks for.
struct TrackingID: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    /// Creates a GUID (RFC 9562, version 4), in which six bits are fixed.
    init(_ high: UInt64, _ low: UInt64) {
        self.high = high & ~0xF000 | 0x4000
        self.low = low & ~(3 << 62) | 2 << 62
    }

    func write(to buffer: inout ByteBuffer) {
        let first = Self.digits(UInt32(truncatingIfNeeded: high >> 32))
        let second = Self.digits(UInt32(truncatingIfNeeded: high))
        let third = Self.digits(UInt32(truncatingIfNeeded: low >> 32))
        let fourth = Self.digits(UInt32(truncatingIfNeeded: low))
        let dash = UInt8(ascii: "-")
        // All bytes are written at once, because each write checks the buffer's capacity. Integers
        // have no padding, so this is safe.
        buffer.writeWithOutputRawSpan(minimumWritableBytes: 36) { text in
            unsafe text.append(first.bigEndian, as: UInt64.self)
            text.append(dash)
            unsafe text.append(UInt32(truncatingIfNeeded: second >> 32).bigEndian, as: UInt32.self)
            text.append(dash)
            unsafe text.append(UInt32(truncatingIfNeeded: second).bigEndian, as: UInt32.self)
            text.append(dash)
            unsafe text.append(UInt32(truncatingIfNeeded: third >> 32).bigEndian, as: UInt32.self)
            text.append(dash)
            unsafe text.append(UInt32(truncatingIfNeeded: third).bigEndian, as: UInt32.self)
            unsafe text.append(fourth.bigEndian, as: UInt64.self)
        }
    }

    /// Eight hexadecimal digits in ASCII, the first in the highest byte.
    private static func digits(_ value: UInt32) -> UInt64 {
        var nibbles = UInt64(value)
        nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Each byte is 1 if the digit is a letter.
        let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return nibbles + 0x3030_3030_3030_3030 + letters * 0x27
    }
}

extension TrackingID: CustomStringConvertible {
    var description: String {
        var buffer = ByteBuffer()
        write(to: &buffer)
        return String(buffer: buffer)
    }
}

/// Creates GUIDs without requesting random numbers from the system each time; they are not secret.
///
/// Each half runs through all 64-bit numbers from a random start (SplitMix64), so no GUID repeats
/// within a process.
struct TrackingIDGenerator: Sendable {
    private var first: UInt64
    private var second: UInt64

    init(startingFrom random: inout some RandomNumberGenerator) {
        first = random.next()
        second = random.next()
    }

    mutating func next() -> TrackingID {
        TrackingID(Self.step(&first), Self.step(&second))
    }

    private static func step(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
