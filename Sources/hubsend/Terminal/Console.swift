import Files
import Foundation

/// Writes to the process's standard streams; text that cannot be written ends the command, not silently.
enum Console {
    /// Writes a text to stdout as it is.
    ///
    /// - Throws: ``CommandFailure`` when stdout is closed or its disk is full.
    static func output(_ text: String) throws {
        try output(Array(text.utf8))
    }

    /// Writes bytes to stdout as they are.
    ///
    /// - Throws: ``CommandFailure`` when stdout is closed or its disk is full.
    static func output(_ bytes: [UInt8]) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw CommandFailure(
                .configuration, "Standard output cannot be written: \(SystemFault.last).")
        }
    }

    /// How many columns the terminal on stderr has; 80 where it does not say.
    static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else {
            return 80
        }
        return Int(size.ws_col)
    }

    /// Writes a line to stderr; when even that is gone, there is nobody left to tell.
    static func complain(_ line: String) {
        notice(line + "\n")
    }

    /// Writes a text to stderr as it is.
    static func notice(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
