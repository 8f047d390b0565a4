/// The values of one statement in PostgreSQL's binary form.
struct BoundValues {
    /// The numbers of the values' types in `pg_type`.
    let types: [UInt32]
    private let bytes: [UInt8]
    /// The encoded values; nil means null.
    private let ranges: [Range<Int>?]

    init(_ values: [any PostgreSQLBindable]) throws(PostgreSQLError) {
        // Empty text must not have a null pointer, which would mean null.
        var bytes: [UInt8] = [0]
        var ranges: [Range<Int>?] = []
        var types: [UInt32] = []
        ranges.reserveCapacity(values.count)
        types.reserveCapacity(values.count)
        for value in values {
            let start = bytes.count
            types.append(type(of: value).postgreSQLType)
            ranges.append(value.appendBinary(to: &bytes) ? start..<bytes.count : nil)
        }
        // PostgreSQL's MaxAllocSize, 1 GiB.
        guard bytes.count < 0x4000_0000 else {
            throw PostgreSQLError(
                .unexpectedValue, message: "A statement's values are larger than 1 GiB.")
        }
        self.bytes = bytes
        self.ranges = ranges
        self.types = types
    }

    /// Provides pointers, lengths and formats as libpq expects them.
    func withPointers<Value>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        unsafe bytes.withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe ranges.map { place in
                unsafe place.flatMap { place in unsafe start.map { unsafe $0 + place.lowerBound } }
            }
            let lengths = ranges.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: ranges.count)
            return unsafe body(pointers, lengths, formats)
        }
    }
}
