import CampaignCore
import Files
import Glibc

/// Splits a file into records: lines, or rows that may have line breaks in quotes.
struct RecordReader {
    /// The size of the buffer, in bytes.
    private static let bufferSize = 256 << 10
    /// The maximum length of a record, in bytes.
    static let longestRecord = 64 << 10
    /// How many lines after the first are searched for the header if a table begins with a title.
    private static let mostTitles = 10

    enum Layout {
        /// Quotes have no special meaning.
        case lines
        /// Quoted cells may contain line breaks (RFC 4180); nil means that the separator is
        /// detected from the header.
        case rows(separator: CSVSeparator?, naming: String)
    }

    private let path: String
    private var input: TextInput
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    private var nextLine = 1

    /// Ranges of records refer to this buffer and are valid until the next record is read.
    private(set) var buffer = [UInt8](repeating: 0, count: bufferSize)
    /// The line in which the current record begins, counted from 1.
    private(set) var line = 0

    /// The cells of the current record; empty for lines.
    private(set) var row = CSVRecord(separator: .comma)
    private var hasCells = false

    init(
        _ file: OpenFile, path: String, encoding: TextEncoding, layout: Layout
    ) throws(AudienceFileError) {
        self.path = path
        do {
            input = try TextInput(file, encoding: encoding)
        } catch let error where encoding != .utf8 && error.number == EINVAL {
            throw AudienceFileError(
                file: path, range: TextRange(line: 1, column: 1), rule: .unreadableFile,
                message: "This system's C library cannot convert \(encoding.name).",
                help: "Save the file as UTF-8, or install the package with the gconv modules.",
                isFinal: true)
        } catch {
            throw Self.unreadable(path, line: 1, error)
        }
        let beginning = FileBeginning(of: path, encoding: encoding)
        if let problem = beginning.problem(ofUnread: input.beginning) { throw problem }
        try fill()
        if buffer[..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        if let problem = beginning.problem(of: buffer[start..<end]) { throw problem }
        if case .rows(let given, let column) = layout {
            hasCells = true
            row = CSVRecord(
                separator: given ?? CSVSeparator.shown(in: buffer[start..<end], naming: column))
        }
    }

    /// Returns the next record, skipping empty ones; nil at the end.
    ///
    /// May be called again after an error that is not final.
    mutating func next() throws(AudienceFileError) -> Range<Int>? {
        while let record = try nextOfAll() {
            guard !isConflictMark(record) else {
                var problem = problem(
                    .notText, at: record, in: record,
                    "This line is a merge conflict marker.",
                    help: "Keep one of the two versions, and delete the markers.")
                problem.isFinal = true
                throw problem
            }
            guard !Blanks.fill(buffer[record]) else { continue }
            if let problem = row.problem {
                throw self.problem(
                    .invalidCSV, at: problem.range, in: record, problem.message, help: problem.help)
            }
            return record
        }
        return nil
    }

    /// Whether the record is a Git conflict marker: the same sign seven times, then a blank or the
    /// end.
    private func isConflictMark(_ record: Range<Int>) -> Bool {
        guard let sign = buffer[record].first,
            (UInt8(ascii: "<")...UInt8(ascii: ">")).contains(sign) || sign == UInt8(ascii: "|")
        else { return false }
        let rest = buffer[record].drop { $0 == sign }
        return record.count - rest.count == 7 && (rest.first ?? 0x20) == 0x20
    }

    private mutating func nextOfAll() throws(AudienceFileError) -> Range<Int>? {
        line = nextLine
        while true {
            if let lineFeed = endOfRecord() { return try take(upTo: lineFeed, next: lineFeed + 1) }
            guard end - start <= Self.longestRecord else { throw tooLong() }
            guard !isAtEnd else {
                guard start < end else { return nil }
                if let quote = row.openQuote { throw unclosed(quote) }
                return try take(upTo: end, next: end)
            }
            try fill()
        }
    }

    /// The position of the line feed; nil if it is not in the buffer yet.
    private mutating func endOfRecord() -> Int? {
        guard hasCells else { return buffer[start..<end].firstIndex(of: UInt8(ascii: "\n")) }
        return row.read(buffer, from: start, to: end)
    }

    private mutating func take(upTo last: Int, next: Int) throws(AudienceFileError) -> Range<Int> {
        guard last - start <= Self.longestRecord else { throw tooLong() }
        let hasReturn = last > start && buffer[last - 1] == UInt8(ascii: "\r")
        let range = start..<(hasReturn ? last - 1 : last)
        nextLine += row.lineBreaks + 1
        start = next
        try check(range)
        return range
    }

    /// The number of the line that names a column, among the next few lines in the buffer.
    func lineNaming(_ column: String) -> Int? {
        let lines = buffer[start..<end].split(
            separator: UInt8(ascii: "\n"), maxSplits: Self.mostTitles,
            omittingEmptySubsequences: false
        ).prefix(Self.mostTitles)
        return lines.firstIndex { CSVSeparator.naming(column, in: Array($0)) != nil }
            .map { nextLine + $0 }
    }

    func place(of offset: Int, in record: Range<Int>) -> (line: Int, column: Int) {
        let before = buffer[record.lowerBound..<offset]
        let breaks = before.count { $0 == UInt8(ascii: "\n") }
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? record.lowerBound
        let column = buffer[lineStart..<offset].count { $0 & 0xC0 != 0x80 }
        return (line + breaks, column + 1)
    }

    func problem(
        _ rule: Rule, at part: Range<Int>, in record: Range<Int>,
        _ message: DiagnosticMessage, help: DiagnosticMessage? = nil, showsLine: Bool = true
    ) -> AudienceFileError {
        let start = place(of: part.lowerBound, in: record)
        let end = place(of: part.upperBound, in: record)
        let range = TextRange(
            line: start.line, column: start.column, endLine: end.line, endColumn: end.column)
        let lines = buffer[record].split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let text = lines[min(start.line - line, lines.count - 1)]
        return AudienceFileError(
            file: path, range: range, rule: rule, message: message, help: help,
            line: showsLine ? String(decoding: text, as: UTF8.self) : nil)
    }

    /// Moves the unread bytes to the front of the buffer and reads more.
    private mutating func fill() throws(AudienceFileError) {
        if start > 0 {
            buffer.replaceSubrange(0..<(end - start), with: Array(buffer[start..<end]))
            end -= start
            start = 0
        }
        do {
            let count = try input.read(into: &buffer, from: end)
            end += count
            isAtEnd = count == 0
        } catch {
            throw Self.unreadable(path, line: nextLine, error)
        }
    }

    private static func unreadable(
        _ path: String, line: Int, _ problem: SystemError
    ) -> AudienceFileError {
        AudienceFileError(
            file: path, range: TextRange(line: line, column: 1), rule: .unreadableFile,
            message: "Reading the file failed here: \(problem).", isFinal: true)
    }

    private func check(_ record: Range<Int>) throws(AudienceFileError) {
        // ASCII is checked first, because nearly all records are ASCII.
        guard buffer[record].contains(where: { $0 >= 0x80 || $0 == 0 }) else { return }
        if let zero = buffer[record].firstIndex(of: 0) {
            throw problem(
                .encoding, at: zero..<(zero + 1), in: record,
                "The line contains a NUL byte; this is not a text file.", showsLine: false)
        }
        guard let bad = UTF8Check.firstInvalid(in: buffer[record]) else { return }
        let (message, help) = explanation(ofByte: buffer[bad])
        throw problem(
            .encoding, at: bad..<(bad + 1), in: record, message, help: help,
            showsLine: !buffer[record].contains(where: Self.isControl))
    }

    /// Reports a byte that is not valid UTF-8, with its position.
    private func explanation(ofByte byte: UInt8) -> (
        message: DiagnosticMessage, help: DiagnosticMessage
    ) {
        let value = String(byte, radix: 16, uppercase: true)
        let save: DiagnosticMessage = "Save the file as UTF-8; in Excel, choose \"CSV UTF-8\"."
        switch input.encoding {
        case .utf8:
            return (
                "The line is not UTF-8: byte 0x\(value) is not valid here.",
                "\(save) Or declare the encoding: { path: …, encoding: windows-1252 }."
            )
        case .utf16:
            return ("The line is not UTF-16: part of a character is missing here.", save)
        case .windows1252:
            return ("The line is not Windows-1252, which has no byte 0x\(value).", save)
        }
    }

    /// A line with an invalid byte is not shown, because it may contain terminal escapes.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !"\t\n\r".utf8.contains(byte) || byte == 0x7F
    }

    private func tooLong() -> AudienceFileError {
        if let quote = row.openQuote { return unclosed(quote) }
        return AudienceFileError(
            file: path, range: TextRange(line: line, column: 1), rule: .tooLarge,
            message: "The line has more than \(Self.longestRecord) bytes.",
            help: "Put one person on each line.", isFinal: true)
    }

    private func unclosed(_ quote: Int) -> AudienceFileError {
        var problem = problem(
            .invalidCSV, at: quote..<(quote + 1), in: start..<end,
            "The quote that opens here is never closed.",
            help: "Double the quotes inside a quoted cell.")
        problem.isFinal = true
        return problem
    }
}

enum UTF8Check {
    static func firstInvalid(in bytes: ArraySlice<UInt8>) -> Int? {
        // ASCII needs no check.
        guard let start = bytes.firstIndex(where: { $0 >= 0x80 }) else { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes[start...].makeIterator()
        var index = start
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let scalar): index += scalar.count
            case .error: return index
            case .emptyInput: return nil
            }
        }
    }
}
