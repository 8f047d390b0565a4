import CampaignCore
import Glibc

/// Stands at one of many records that were written one behind the other.
///
/// A record is the lengths of itself and of the name, four bytes each, a number of eight, the name and whatever else there is; all in
/// this machine's byte order, as it never leaves the process.
final class MemberCursor {
    static let headerSize = 16

    /// Tells apart what has the same name: those read first come first.
    let turn: Int
    private let file: ScratchFile
    private let block: Int
    /// Where the file is read on, and where it ends.
    private var next: Int
    private let end: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var length = 0
    private var nameLength = 0

    /// Stands before the first record.
    ///
    /// - Parameters:
    ///   - file: holds the records.
    ///   - range: where in it they stand.
    ///   - block: bytes read at once.
    ///   - turn: its place among cursors.
    init(_ file: ScratchFile, range: Range<Int>, block: Int = 64 << 10, turn: Int = 0) {
        self.file = file
        self.next = range.lowerBound
        self.end = range.upperBound
        self.block = block
        self.turn = turn
    }

    /// Goes on to the next record.
    ///
    /// - Returns: whether there is one.
    /// - Throws: ``StoreError``.
    func advance() throws(StoreError) -> Bool {
        start += length
        length = 0
        guard try fill(Self.headerSize) else { return false }
        let size = Int(load(0, as: UInt32.self))
        nameLength = Int(load(4, as: UInt32.self))
        guard try fill(size) else { return false }
        length = size
        return true
    }

    /// The record as it was written.
    var record: ArraySlice<UInt8> { buffer[start..<(start + length)] }

    /// The number that was written with the name.
    var number: Int64 { load(8, as: Int64.self) }

    var name: ArraySlice<UInt8> {
        let first = start + Self.headerSize
        return buffer[first..<(first + nameLength)]
    }

    /// What was written behind the name.
    var rest: ArraySlice<UInt8> {
        buffer[(start + Self.headerSize + nameLength)..<(start + length)]
    }

    /// How this name stands to another's: less than 0 when it is before it, 0 when they are the same.
    func order(to other: MemberCursor) -> Int {
        unsafe buffer.withUnsafeBytes { mine in
            unsafe other.buffer.withUnsafeBytes { theirs in
                let first = start + Self.headerSize
                let second = other.start + Self.headerSize
                return unsafe NameOrder.compare(
                    UnsafeRawBufferPointer(rebasing: mine[first..<(first + nameLength)]),
                    UnsafeRawBufferPointer(
                        rebasing: theirs[second..<(second + other.nameLength)]))
            }
        }
    }

    /// Whether the name has a letter from A to Z.
    var hasCapital: Bool {
        unsafe buffer.withUnsafeBytes { bytes in
            let first = start + Self.headerSize
            var found = false
            for index in first..<(first + nameLength) {
                let byte = unsafe bytes[index]
                found = found || (byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z"))
            }
            return found
        }
    }

    /// The person, of a record whose number is an origin and whose rest is values.
    var member: AudienceMember {
        AudienceMember(
            username: username, values: rest.isEmpty ? [] : PackedValues.unpack(Array(rest)),
            origin: PackedOrigin.unpack(number))
    }

    var username: Username { Username(checked: String(decoding: name, as: UTF8.self)) }

    private func load<Number: FixedWidthInteger & BitwiseCopyable>(
        _ offset: Int, as type: Number.Type
    ) -> Number {
        unsafe buffer.withUnsafeBytes { bytes in
            unsafe bytes.loadUnaligned(fromByteOffset: start + offset, as: type)
        }
    }

    /// Sees to it that so many bytes from the record's first on are in the buffer.
    private func fill(_ count: Int) throws(StoreError) -> Bool {
        if start + count <= buffer.count { return true }
        if start > 0 {
            buffer.removeSubrange(..<start)
            start = 0
        }
        let wanted = min(max(block, count) - buffer.count, end - next)
        if wanted > 0 {
            try file.read(at: next, count: wanted, into: &buffer)
            next += wanted
        }
        return count <= buffer.count
    }
}

/// The order of names: by their bytes, the shorter one first.
private enum NameOrder {
    /// How one name stands to another: less than 0 when it is before it, 0 when they are the same.
    @unsafe
    static func compare(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int {
        guard let left = first.baseAddress, let right = second.baseAddress else {
            return first.count - second.count
        }
        let order = unsafe memcmp(left, right, min(first.count, second.count))
        return order == 0 ? first.count - second.count : Int(order)
    }
}

/// Where a person was named, as one number: the line, then 12 bits of the file.
enum PackedOrigin {
    static func pack(_ origin: AudienceOrigin) -> Int64 {
        Int64(origin.line) << 12 | Int64(origin.file & 0xFFF)
    }

    static func unpack(_ number: Int64) -> AudienceOrigin {
        AudienceOrigin(file: Int(number & 0xFFF), line: Int(number >> 12))
    }
}

/// A person's values as one blob: for each a length in LEB128, one more than the bytes that follow it, or 0 for nil.
enum PackedValues {
    /// Packs values; nil when there are none.
    static func pack(_ values: [String?]) -> [UInt8]? {
        if values.isEmpty { return nil }
        var bytes: [UInt8] = []
        for value in values {
            var length = value.map { $0.utf8.count + 1 } ?? 0
            while length > 127 {
                bytes.append(UInt8(length & 127) | 128)
                length >>= 7
            }
            bytes.append(UInt8(length))
            bytes.append(contentsOf: value?.utf8 ?? "".utf8)
        }
        return bytes
    }

    /// Reads back what ``pack(_:)`` wrote.
    static func unpack(_ bytes: [UInt8]?) -> [String?] {
        guard let bytes else { return [] }
        var values: [String?] = []
        var position = 0
        while position < bytes.count {
            var length = 0
            var shift = 0
            while bytes[position] > 127 {
                length |= Int(bytes[position] & 127) << shift
                shift += 7
                position += 1
            }
            length |= Int(bytes[position]) << shift
            position += 1
            if length == 0 {
                values.append(nil)
            } else {
                let end = position + length - 1
                values.append(String(decoding: bytes[position..<end], as: UTF8.self))
                position = end
            }
        }
        return values
    }
}
