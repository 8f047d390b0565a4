import Files
import Glibc

/// Turns another encoding into UTF-8, a piece at a time.
///
/// An invalid character becomes an invalid byte of UTF-8, which the check of each line finds.
@safe final class Transcoder {
    /// Bytes that one byte may become, and bytes left from before.
    static let most = (perByte: 3, besides: 4)
    /// Stands for half a character; UTF-8 never has it.
    private static let fault: UInt8 = 0xFF

    private let encoding: TextEncoding
    private let converter: iconv_t?

    /// nil for UTF-8; the beginning shows the byte order of UTF-16.
    init?(_ encoding: TextEncoding, beginning: ArraySlice<UInt8>) throws(SystemFault) {
        let name: String
        switch encoding {
        case .utf8: return nil
        case .windows1252: name = "CP1252"
        case .utf16: name = Self.isBigEndian(beginning) ? "UTF-16BE" : "UTF-16LE"
        }
        self.encoding = encoding
        unsafe converter = iconv_open("UTF-8", name)
        guard unsafe converter != iconv_t(bitPattern: -1) else { throw .last }
    }

    deinit {
        if unsafe converter != iconv_t(bitPattern: -1) { unsafe _ = iconv_close(converter) }
    }

    /// By the byte order mark or, without one, by the zeros beside plain letters.
    private static func isBigEndian(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        let zeros = bytes.indices.prefix(1_024).filter { bytes[$0] == 0 }
        let first = zeros.count { ($0 - bytes.startIndex).isMultiple(of: 2) }
        return first > zeros.count - first
    }

    /// Takes all of `raw` but an incomplete character at its end, which the next call needs again.
    ///
    /// The buffer needs room for ``most`` after `end`.
    func decode(_ raw: inout [UInt8], into buffer: inout [UInt8], at end: inout Int, isLast: Bool) {
        var used = 0
        while used < raw.count {
            let fault = convert(&raw, &used, &buffer, &end)
            guard fault == EILSEQ || isLast && fault == EINVAL else { break }
            // A lone byte is not UTF-8, and a message can name it.
            buffer[end] = encoding == .windows1252 ? raw[used] : Self.fault
            end += 1
            used = fault == EINVAL ? raw.count : used + (encoding == .windows1252 ? 1 : 2)
        }
        raw.removeFirst(used)
    }

    /// Converts up to an invalid (`EILSEQ`) or incomplete (`EINVAL`) character; 0 if it has none.
    private func convert(
        _ raw: inout [UInt8], _ used: inout Int, _ buffer: inout [UInt8], _ end: inout Int
    ) -> Int32 {
        unsafe raw.withUnsafeMutableBytes { raw in
            unsafe buffer.withUnsafeMutableBytes { buffer in
                var (left, room) = (raw.count - used, buffer.count - end)
                var source = unsafe raw.baseAddress.map {
                    unsafe ($0 + used).assumingMemoryBound(to: CChar.self)
                }
                var target = unsafe buffer.baseAddress.map {
                    unsafe ($0 + end).assumingMemoryBound(to: CChar.self)
                }
                let result = unsafe iconv(converter, &source, &left, &target, &room)
                (used, end) = (raw.count - left, buffer.count - room)
                return result == -1 ? errno : 0
            }
        }
    }
}
