/// A checksum of a row's values, which reveals damage but does not stop attackers.
///
/// Every step is reversible, so that a change within eight bytes is always detected. Digests of
/// rows are added up in any order, and subtracted when a row changes.
struct RowDigest {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64 = 0x6875_6273_656E_6421

    var value: Int64 {
        var mixed = (state ^ (state >> 32)) &* 0xD6E8_FEB8_6659_FD93
        mixed = (mixed ^ (mixed >> 29)) &* Self.factor
        return Int64(bitPattern: mixed ^ (mixed >> 32))
    }

    mutating func addNull() {
        mix(0)
    }

    mutating func add(_ number: Int64) {
        mix(1)
        mix(UInt64(bitPattern: number))
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
        mix(isText ? 2 : 3)
        mix(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            mix(UInt64(littleEndian: word))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var last: UInt64 = 0
        while offset < bytes.count {
            last = last << 8 | UInt64(unsafe bytes[offset])
            offset += 1
        }
        mix(last)
    }

    mutating func add(_ bytes: [UInt8]?, isText: Bool) {
        guard let bytes else { return addNull() }
        unsafe bytes.withUnsafeBytes { unsafe add($0, isText: isText) }
    }

    private mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* Self.factor
        state ^= state >> 29
    }
}

extension RowDigest {
    /// The digest of values in the order of the columns; text and bytes among them are parts of
    /// `texts`.
    init(_ values: ArraySlice<NativeValue>, texts: [UInt8]) {
        unsafe texts.withUnsafeBytes { bytes in
            for value in values {
                switch value {
                case .null: addNull()
                case .number(let number): add(number)
                case .text(let range):
                    unsafe add(UnsafeRawBufferPointer(rebasing: bytes[range]), isText: true)
                case .bytes(let range):
                    unsafe add(UnsafeRawBufferPointer(rebasing: bytes[range]), isText: false)
                }
            }
        }
    }
}
