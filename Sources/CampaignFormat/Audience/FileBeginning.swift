/// Checks a file's first bytes for reasons why it cannot be read line by line.
struct FileBeginning {
    private typealias Objection = (Rule, DiagnosticMessage, help: DiagnosticMessage)

    /// How many bytes of a spreadsheet are searched for the name of the program that wrote it.
    private static let reach = 64 << 10
    /// UTF-16 without a byte order mark is recognised by a zero among this many first bytes.
    private static let zeroReach = 1_024

    private let path: String
    private let encoding: TextEncoding

    init(of path: String, encoding: TextEncoding) {
        self.path = path
        self.encoding = encoding
    }

    /// Checks a file that is not read as UTF-8; an error is final and shows no line.
    func problem(ofUnread bytes: ArraySlice<UInt8>) -> AudienceFileError? {
        guard !bytes.isEmpty else { return nil }
        return problem(Self.spreadsheet(bytes) ?? contradiction(in: bytes))
    }

    /// Checks UTF-8 without a byte order mark; an error is final and shows no line.
    func problem(of bytes: ArraySlice<UInt8>) -> AudienceFileError? {
        problem(Self.objection(to: bytes))
    }

    private func problem(_ objection: Objection?) -> AudienceFileError? {
        guard let (rule, message, help) = objection else { return nil }
        return AudienceFileError(
            file: path, range: TextRange(line: 1, column: 1), rule: rule, message: message,
            help: help, isFinal: true)
    }

    /// Finds a declared encoding that must be wrong and would silently change names.
    private func contradiction(in bytes: ArraySlice<UInt8>) -> Objection? {
        let isMarkedUTF8 = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        switch encoding {
        case .utf8: return nil
        case .utf16:
            let hasZeros = !isMarkedUTF8 && bytes.prefix(Self.zeroReach).contains(0)
            guard !Self.isUTF16(bytes), !hasZeros else { return nil }
            return (
                .encoding, "The file's entry says UTF-16, but the file is not UTF-16.",
                "Set \"encoding\" to the file's encoding, or delete the key if it is UTF-8."
            )
        case .windows1252:
            if Self.isUTF16(bytes) {
                return (
                    .encoding,
                    "The file's entry says Windows-1252, but the file is UTF-16.",
                    "Write \"encoding: utf-16\"."
                )
            }
            guard isMarkedUTF8 || Self.isBeyondASCIIInUTF8(bytes) else { return nil }
            return (
                .encoding, "The file's entry says Windows-1252, but the file is UTF-8.",
                "Delete \"encoding\"."
            )
        }
    }

    /// Non-ASCII bytes of Windows-1252 are practically never valid UTF-8 by chance.
    private static func isBeyondASCIIInUTF8(_ bytes: ArraySlice<UInt8>) -> Bool {
        // The bytes may end in the middle of a letter, so the last line is left out.
        let end = bytes.lastIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let lines = bytes[..<end]
        return lines.contains { $0 >= 0x80 } && UTF8Check.firstInvalid(in: lines) == nil
    }

    private static func objection(to bytes: ArraySlice<UInt8>) -> Objection? {
        if let objection = spreadsheet(bytes) { return objection }
        if isUTF16(bytes) {
            return (
                .encoding, "The file is not UTF-8; it starts like UTF-16.",
                "Save it as UTF-8 (in Excel, choose \"CSV UTF-8\"), or declare the encoding: { path: …, encoding: utf-16 }."
            )
        }
        if let objection = foreign(bytes) { return objection }
        if isBinary(bytes) {
            return (
                .notText, "This is not a text file.",
                "Use a CSV file, or a text file with one name per line."
            )
        }
        if hasCarriageReturnsAlone(bytes) {
            return (
                .encoding,
                "The lines end with carriage returns only, as on old Macs, so the whole file is one line.",
                "Save it with Unix or Windows line endings; in Excel, choose \"CSV UTF-8\"."
            )
        }
        return nil
    }

    /// A spreadsheet that was renamed instead of exported.
    private static func spreadsheet(_ bytes: ArraySlice<UInt8>) -> Objection? {
        let excel: DiagnosticMessage = "Export it as CSV; in Excel, choose \"CSV UTF-8\"."
        // A compound file, the format of Excel until 2003.
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            return (.notText, "This is an Excel file.", excel)
        }
        guard bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return nil }
        let head = bytes.prefix(reach)
        func has(_ name: String) -> Bool { head.firstRange(of: Array(name.utf8)) != nil }
        let export: DiagnosticMessage = "Export it as CSV in UTF-8."
        if has("opendocument") { return (.notText, "This is an OpenDocument file.", export) }
        if has("[Content_Types].xml") || has("xl/") || has("docProps/") {
            return (.notText, "This is an Excel file.", excel)
        }
        if has(".iwa") { return (.notText, "This is a Numbers file.", export) }
        return (
            .notText, "This is a ZIP file.",
            "Unpack it, or export it as CSV in UTF-8 if it is a spreadsheet."
        )
    }

    /// Another kind of file with a table's name, such as after a failed download or checkout.
    private static func foreign(_ bytes: ArraySlice<UInt8>) -> Objection? {
        let start = bytes.drop { " \t\r\n".utf8.contains($0) }.prefix(200)
        let text = String(decoding: start, as: UTF8.self).lowercased()
        func begins(_ words: String...) -> Bool { words.contains(where: text.hasPrefix) }
        if begins(
            "version https://git-lfs.github.com/spec/", "version https://hawser.github.com/spec/")
        {
            return (
                .notText, "This is a Git LFS pointer; the file itself was not downloaded.",
                "Run: git lfs pull"
            )
        }
        let export: DiagnosticMessage =
            "Export the table as CSV; if you downloaded it, open the file: it may be an error message."
        if begins("<!doctype html", "<html", "<head", "<body") {
            return (
                .notText, "This is a web page.",
                "Download the table again; this may be a sign-in page."
            )
        }
        if begins("<?xml", "<error") { return (.notText, "This is an XML file.", export) }
        if begins("{\"", "{\n", "{\r", "{ \"", "{}", "[{", "[\"", "[\n", "[\r", "[]") {
            return (.notText, "This is a JSON file.", export)
        }
        if begins("%pdf-") {
            return (.notText, "This is a PDF file.", "Export the table as CSV in UTF-8.")
        }
        if begins("{\\rtf") {
            return (.notText, "This is an RTF file.", "Save it as plain text in UTF-8.")
        }
        if start.starts(with: [0x1F, 0x8B]) {
            return (.notText, "This is a compressed file.", "Unpack it: gunzip FILE")
        }
        return nil
    }

    /// Recognises UTF-16 by its byte order mark, or by the zeros next to the first two letters.
    private static func isUTF16(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        let zeros = bytes.prefix(4).map { $0 == 0 }
        return zeros == [false, true, false, true] || zeros == [true, false, true, false]
    }

    /// Whether there are too many control bytes for a text file with a few bad lines.
    private static func isBinary(_ bytes: ArraySlice<UInt8>) -> Bool {
        let sample = bytes.prefix(1_024)
        let controls = sample.count { $0 < 0x20 && !"\t\n\r".utf8.contains($0) }
        return controls >= 8 && controls * 16 > sample.count
    }

    private static func hasCarriageReturnsAlone(_ bytes: ArraySlice<UInt8>) -> Bool {
        let carriageReturn = UInt8(ascii: "\r")
        let end = bytes.firstIndex { $0 == carriageReturn || $0 == UInt8(ascii: "\n") }
        guard let end, bytes[end] == carriageReturn else { return false }
        // Within quotes, a carriage return belongs to a cell.
        guard bytes[..<end].count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) else {
            return false
        }
        let next = bytes[end...].first { $0 != carriageReturn }
        return next.map { $0 != UInt8(ascii: "\n") } ?? false
    }
}
