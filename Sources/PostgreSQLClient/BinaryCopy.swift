/// Encodes rows for a binary `COPY … FROM STDIN` and sends them in pieces.
///
/// A row begins with ``beginRow(_:)``, followed by the given number of values, each of exactly the
/// column's type.
package struct BinaryCopy {
    /// The approximate size of a piece, in bytes.
    private static let piece = 64 * 1_024

    private let send: (borrowing [UInt8]) -> Bool
    private var buffer: [UInt8] = []
    /// Whether sending a piece has failed; the remaining rows are then dropped, and the end reports
    /// the reason.
    private(set) var hasFailed = false

    /// Starts with the header of the format (PostgreSQL documentation, COPY); `send` returns false
    /// on failure.
    init(_ send: @escaping (borrowing [UInt8]) -> Bool) {
        self.send = send
        buffer.reserveCapacity(Self.piece + 4_096)
        buffer.append(contentsOf: Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0])
        buffer.appendBigEndian(Int32(0))
        buffer.appendBigEndian(Int32(0))
    }

    package mutating func beginRow(_ columns: Int) {
        if buffer.count >= Self.piece { flush() }
        buffer.appendBigEndian(Int16(truncatingIfNeeded: columns))
    }

    package mutating func append(_ value: Int64?) {
        append(number: value)
    }

    package mutating func append(_ value: Int?) {
        append(number: value.map { Int64($0) })
    }

    /// Appends an `int4`.
    package mutating func append(int4 value: Int32?) {
        append(number: value)
    }

    /// Appends an `int2`.
    package mutating func append(int2 value: Int16?) {
        append(number: value)
    }

    /// Appends a `text` or `varchar`.
    package mutating func append(_ value: String?) {
        guard let value else { return appendNull() }
        buffer.appendBigEndian(Int32(truncatingIfNeeded: value.utf8.count))
        buffer.append(contentsOf: value.utf8)
    }

    package mutating func append(_ value: [UInt8]?) {
        guard let value else { return appendNull() }
        buffer.appendBigEndian(Int32(truncatingIfNeeded: value.count))
        buffer.append(contentsOf: value)
    }

    package mutating func append(_ value: Bool?) {
        append(number: value.map { UInt8($0 ? 1 : 0) })
    }

    package mutating func append(_ value: Double?) {
        append(number: value?.bitPattern)
    }

    mutating func finish() {
        buffer.appendBigEndian(Int16(-1))
        flush()
    }

    @inline(__always)
    private mutating func append<Number: FixedWidthInteger>(number: Number?) {
        guard let number else { return appendNull() }
        buffer.appendBigEndian(Int32(Number.bitWidth / 8))
        buffer.appendBigEndian(number)
    }

    private mutating func appendNull() {
        buffer.appendBigEndian(Int32(-1))
    }

    private mutating func flush() {
        if !hasFailed, !send(buffer) { hasFailed = true }
        buffer.removeAll(keepingCapacity: true)
    }
}
