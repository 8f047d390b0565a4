package import CampaignCore
import Files
import Foundation
package import Settings
import Synchronization

/// Writes to the process's standard streams.
///
/// Text that cannot be written ends the command with a sentence.
/// No text leaves with characters that steer a terminal or cannot be seen, even where a caller forgot to check it.
package enum Console {
    private static let colors = TextStyle.sequences
    /// Takes a line away that has no end yet.
    private static let erasure = "\r\u{1B}[2K"
    /// The columns of a terminal that does not say how many it has.
    private static let usual = 80
    /// Whether the last line on stderr is one that is drawn again and again; a text begins in its place.
    private static let hasOpenLine = Mutex(false)

    /// Writes a text to stdout; what cannot be seen is written out.
    ///
    /// - Parameters:
    ///   - text: whole lines.
    ///   - style: whether it may have colours.
    /// - Throws: ``TerminalFault`` when stdout is closed or its disk is full.
    package static func output(_ text: String, style: TextStyle = .plain) throws {
        try output(Array(visible(text, style).utf8))
    }

    /// Writes bytes to stdout as they are.
    ///
    /// - Throws: ``TerminalFault`` when stdout is closed or its disk is full.
    package static func output(_ bytes: [UInt8]) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            let fault = SystemFault.last
            throw fault.kind == .diskFull
                ? TerminalFault.full(why: "\(fault)") : .unwritable(why: "\(fault)")
        }
    }

    /// How many columns the terminal on stderr has; 80 where it does not say.
    static var columns: Int { errorColumns ?? usual }

    /// How many columns the terminal on stderr has; nil when it is none, or does not say.
    package static var errorColumns: Int? { columns(of: STDERR_FILENO) }

    /// How many columns the terminal on stdout has, 80 where it does not say; nil when it is none.
    package static var outputColumns: Int? {
        columns(of: STDOUT_FILENO) ?? (isatty(STDOUT_FILENO) == 1 ? usual : nil)
    }

    private static func columns(of stream: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Writes a sentence to stdout, in lines that fit a terminal.
    ///
    /// - Throws: as ``output(_:style:)``.
    package static func say(_ sentence: String) throws {
        try output(lines(VisibleText.lines(sentence), outputColumns))
    }

    /// Writes one line to stderr, broken between words on a terminal; when even that is gone, there is nobody left to tell.
    ///
    /// A line break within it is written out: what somebody named must not look like a line of ours.
    package static func complain(_ line: String) {
        write(lines(VisibleText.escape(line), errorColumns))
    }

    private static func lines(_ sentence: String, _ width: Int?) -> String {
        WrappedText.paragraph(sentence, width: width, keepsWords: true).joined(separator: "\n")
            + "\n"
    }

    /// Writes a text to stderr; what cannot be seen is written out.
    ///
    /// - Parameters:
    ///   - text: any number of lines.
    ///   - style: whether it may have colours.
    package static func notice(_ text: String, style: TextStyle = .plain) {
        write(visible(text, style))
    }

    private static func visible(_ text: String, _ style: TextStyle) -> String {
        VisibleText.lines(text, keeping: style == .colored ? colors : [])
    }

    /// Shows a line on the terminal that stderr is, in the place of the one that was shown before.
    ///
    /// - Parameter line: as it is, without an end; nil takes the line away.
    static func draw(_ line: String?) {
        hasOpenLine.withLock { hasOpenLine in
            hasOpenLine = line != nil
            send(erasure + (line ?? ""))
        }
    }

    /// Writes whole lines to stderr, in the place of a line that is shown there.
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
    /// How text on stdout is written.
    package var outputStyle: TextStyle {
        allowsColor(onTerminal: isOutputTerminal) ? .colored : .plain
    }

    /// How text on stderr is written.
    package var errorStyle: TextStyle {
        allowsColor(onTerminal: isErrorTerminal) ? .colored : .plain
    }
}

/// Reads what is piped in or typed; the wait for it ends when the task is cancelled.
package enum StandardInput {
    /// A campaign is 16 MiB at most; one byte more tells that it is too large.
    private static let longest = 16 << 20
    /// Bytes read at once.
    private static let block = 256 << 10
    /// The longest answer that is read, in bytes; a longer one is cut.
    private static let longestLine = 1_024

    /// All of it, up to one byte over the limit.
    ///
    /// - Throws: ``TerminalFault`` when it cannot be read, `CancellationError`.
    package static func read() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= longest {
            let more = try await next(min(block, longest + 1 - bytes.count))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// A line, without its end.
    ///
    /// - Returns: nil at the end of the input.
    /// - Throws: as ``read()``.
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
        } catch let fault as SystemFault {
            throw TerminalFault.unreadable(why: "\(fault)")
        }
    }
}

/// A standard stream that cannot be read or written.
package enum TerminalFault: Error, Hashable, CustomStringConvertible {
    /// Standard output cannot be written.
    case unwritable(why: String)
    /// Standard output leads to a disk without room.
    case full(why: String)
    /// Standard input cannot be read.
    case unreadable(why: String)

    /// A sentence.
    package var description: String {
        switch self {
        case .unwritable(let why), .full(let why): "Standard output cannot be written: \(why)."
        case .unreadable(let why): "Standard input cannot be read: \(why)."
        }
    }
}
