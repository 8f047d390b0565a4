import CampaignCore
import Files
import Foundation
import Synchronization

/// Writes to the process's standard streams.
///
/// If a write fails, the command ends with an error message. Characters that control a terminal or
/// are invisible are always escaped.
enum Console {
    private static let colors = TextStyle.sequences
    /// The characters that clear the current line.
    private static let erasure = "\r\u{1B}[2K"
    /// The assumed width of a terminal that does not report its width, in columns.
    private static let usual = 80
    /// Whether the last line on stderr is redrawn, so that other text replaces it.
    private static let hasOpenLine = Mutex(false)

    /// Writes whole lines to stdout; invisible characters are escaped.
    static func output(_ text: String, style: TextStyle = .plain) throws {
        try output(Array(visible(text, style).utf8))
    }

    /// Writes bytes to stdout as they are.
    static func output(_ bytes: [UInt8]) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            let error = SystemError.last
            throw error.kind == .diskFull
                ? TerminalError.full(why: "\(error)") : .unwritable(why: "\(error)")
        }
    }

    /// The columns of the terminal on stderr; 80 if unknown.
    static var columns: Int { errorColumns ?? usual }

    /// The columns of the terminal on stderr; nil if stderr is not a terminal or the columns are
    /// unknown.
    static var errorColumns: Int? { columns(of: STDERR_FILENO) }

    /// The columns of the terminal on stdout, 80 if unknown; nil if stdout is not a terminal.
    static var outputColumns: Int? {
        columns(of: STDOUT_FILENO) ?? (isatty(STDOUT_FILENO) == 1 ? usual : nil)
    }

    private static func columns(of stream: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Writes a sentence to stdout, wrapped to the terminal.
    static func say(_ sentence: String) throws {
        try output(lines(VisibleText.lines(sentence), outputColumns))
    }

    /// Writes one line to stderr, wrapped on a terminal; a failed write is ignored.
    ///
    /// Line breaks are escaped, so that quoted input cannot look like a line written by hubsend.
    static func complain(_ line: String) {
        write(lines(VisibleText.escape(line), errorColumns))
    }

    private static func lines(_ sentence: String, _ width: Int?) -> String {
        WrappedText.paragraph(sentence, width: width, keepsWords: true).joined(separator: "\n")
            + "\n"
    }

    /// Writes text of any number of lines to stderr; invisible characters are escaped.
    static func notice(_ text: String, style: TextStyle = .plain) {
        write(visible(text, style))
    }

    private static func visible(_ text: String, _ style: TextStyle) -> String {
        VisibleText.lines(text, keeping: style == .colored ? colors : [])
    }

    /// Replaces the line drawn on the terminal at stderr, without a line feed; nil clears it.
    static func draw(_ line: String?) {
        hasOpenLine.withLock { hasOpenLine in
            hasOpenLine = line != nil
            send(erasure + (line ?? ""))
        }
    }

    /// Writes whole lines to stderr, replacing a drawn line.
    private static func write(_ text: String) {
        hasOpenLine.withLock { hasOpenLine in
            send(hasOpenLine ? erasure + text : text)
            hasOpenLine = false
        }
    }

    private static func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe Foundation.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

extension Invocation {
    var outputStyle: TextStyle { allowsColor(onTerminal: isOutputTerminal) ? .colored : .plain }

    var errorStyle: TextStyle { allowsColor(onTerminal: isErrorTerminal) ? .colored : .plain }
}

/// Reads standard input; a cancelled task stops waiting.
enum StandardInput {
    /// A campaign has at most 16 MiB; one more byte shows that it is too large.
    private static let longest = 16 << 20
    private static let block = 256 << 10
    /// The maximum length of an answer, in bytes; longer answers are cut.
    private static let longestLine = 1_024

    /// Reads all input, up to one byte more than the limit.
    static func read() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= longest {
            let more = try await next(min(block, longest + 1 - bytes.count))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Reads a line without its line feed; returns nil at the end of the input.
    static func line() async throws -> String? {
        var bytes: [UInt8] = []
        while bytes.count < longestLine, !bytes.contains(UInt8(ascii: "\n")) {
            let more = try await next(longestLine)
            if more.isEmpty {
                if bytes.isEmpty { return nil }
                break
            }
            bytes += more
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return String(text.prefix { !$0.isNewline })
    }

    private static func next(_ limit: Int) async throws -> [UInt8] {
        do {
            return try await AwaitedInput.standard.next(limit)
        } catch let error as SystemError {
            throw TerminalError.unreadable(why: "\(error)")
        }
    }
}

enum TerminalError: Refusal, Hashable, CustomStringConvertible {
    case unwritable(why: String)
    /// Standard output is a file on a disk that is full.
    case full(why: String)
    case unreadable(why: String)

    var description: String {
        switch self {
        case .unwritable(let why), .full(let why): "Writing to standard output failed: \(why)."
        case .unreadable(let why): "Reading standard input failed: \(why)."
        }
    }
}
