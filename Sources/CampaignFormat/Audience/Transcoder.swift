import Files
import Glibc

/// Converts another encoding to UTF-8, a piece at a time.
///
/// An invalid character becomes an invalid UTF-8 byte, which the check of each line reports.
@safe final class Transcoder {
    /// The maximum number of output bytes for one input byte, and of bytes that one call can leave
    /// for the next.
    static let most = (perByte: 3, besides: 4)
    /// Marks an incomplete character; this byte is never valid in UTF-8.
    private static let problem: UInt8 = 0xFF

    private let encoding: TextEncoding
    private let converter: iconv_t?

    /// nil for UTF-8; the byte order of UTF-16 is determined from the beginning.
    init?(_ encoding: TextEncoding, beginning: ArraySlice<UInt8>) throws(SystemError) {
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

    /// Determines the byte order from the byte order mark or, without one, from the position of the
    /// zeros in ASCII letters.
    private static func isBigEndian(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFE, 0xFF]) { return true }
        if bytes.starts(with: [0xFF, 0xFE]) { return false }
        let zeros = bytes.indices.prefix(1_024).filter { bytes[$0] == 0 }
        let first = zeros.count { ($0 - bytes.startIndex).isMultiple(of: 2) }
        return first > zeros.count - first
    }

    /// Consumes `raw` except for an incomplete character at its end, which the next call needs.
    ///
    /// The buffer needs room for ``most`` after `end`.
    func decode(_ raw: inout [UInt8], into buffer: inout [UInt8], at end: inout Int, isLast: Bool) {
        var used = 0
        while used < raw.count {
            let problem = convert(&raw, &used, &buffer, &end)
            guard problem == EILSEQ || isLast && problem == EINVAL else { break }
            // The lone byte is passed on: it is not valid UTF-8, so the check of the line reports
            // it.
            buffer[end] = encoding == .windows1252 ? raw[used] : Self.problem
            end += 1
            used = problem == EINVAL ? raw.count : used + (encoding == .windows1252 ? 1 : 2)
        }
        raw.removeFirst(used)
    }

    /// Converts up to an invalid (`EILSEQ`) or incomplete (`EINVAL`) character; returns 0 if
    /// everything was converted.
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
