import GRDB

/// What of a notification is encrypted together.
struct SealedParts: Hashable {
    var type: String?
    var message: String?
    /// nil where there is nothing to fetch, or it is a file that is no secret.
    var content: [UInt8]?

    /// One byte says what is there; two lengths of four bytes, highest first, part it.
    static let headLength = 9
    private static let (hasType, hasMessage, hasContent): (UInt8, UInt8, UInt8) = (1, 2, 4)

    init(type: String?, message: String?, content: [UInt8]?) {
        self.type = type
        self.message = message
        self.content = content
    }

    /// Takes apart what ``bytes`` put together.
    ///
    /// - Throws: `DatabaseError.damaged` for anything else.
    init(_ bytes: [UInt8]) throws {
        guard bytes.count >= Self.headLength else { throw DatabaseError.damaged }
        let flags = bytes[0]
        let typeEnd = Self.headLength + Self.length(bytes[1..<5])
        let messageEnd = typeEnd + Self.length(bytes[5..<9])
        guard messageEnd <= bytes.count else { throw DatabaseError.damaged }
        type =
            flags & Self.hasType == 0
            ? nil : String(decoding: bytes[Self.headLength..<typeEnd], as: UTF8.self)
        message =
            flags & Self.hasMessage == 0
            ? nil : String(decoding: bytes[typeEnd..<messageEnd], as: UTF8.self)
        content = flags & Self.hasContent == 0 ? nil : Array(bytes[messageEnd...])
    }

    /// All parts, one behind the other.
    var bytes: [UInt8] {
        let (type, message) = (type.map { Array($0.utf8) }, message.map { Array($0.utf8) })
        let lengths = [type?.count ?? 0, message?.count ?? 0]
        var bytes: [UInt8] = [
            (type == nil ? 0 : Self.hasType) | (message == nil ? 0 : Self.hasMessage)
                | (content == nil ? 0 : Self.hasContent)
        ]
        bytes.reserveCapacity(Self.headLength + lengths[0] + lengths[1] + (content?.count ?? 0))
        for length in lengths {
            bytes += stride(from: 24, through: 0, by: -8).map { shift in
                UInt8(truncatingIfNeeded: length >> shift)
            }
        }
        bytes += type ?? []
        bytes += message ?? []
        bytes += content ?? []
        return bytes
    }

    private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
