import Dispatch
import Glibc
import Synchronization
import TestSupport

/// A terminal whose keys a test presses, and whose screen it reads.
final class PseudoTerminal {
    /// The system gave no terminal.
    struct Refused: Error {
        let number: Int32
    }

    /// What was shown, and who waits for what.
    private final class Screen: Sendable {
        private let state = Mutex((text: "", awaited: [(text: String, milestone: Milestone)]()))

        func show(_ text: String) {
            let reached = state.withLock { state in
                state.text += text
                return state.awaited.filter { state.text.contains($0.text) }.map(\.milestone)
            }
            for milestone in reached { milestone.reach() }
        }

        func milestone(of text: String) -> Milestone {
            let milestone = Milestone()
            state.withLock { state in
                state.awaited.append((text, milestone))
                if state.text.contains(text) { milestone.reach() }
            }
            return milestone
        }
    }

    /// The device that a program has as its terminal.
    let path: String
    private let keys: Int32
    private let screen = Screen()
    private let source: any DispatchSourceRead

    /// Makes a terminal.
    ///
    /// - Throws: ``Refused``.
    init() throws {
        let keys = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        var name = [CChar](repeating: 0, count: 128)
        guard keys >= 0, grantpt(keys) == 0, unlockpt(keys) == 0,
            unsafe ptsname_r(keys, &name, name.count) == 0
        else { throw Refused(number: errno) }
        let path = String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // Held open, so that it is no broken one before and after the program has it.
        let device = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard device >= 0 else { throw Refused(number: errno) }
        self.keys = keys
        self.path = path
        source = DispatchSource.makeReadSource(
            fileDescriptor: keys, queue: DispatchQueue(label: "pseudo-terminal"))
        source.setEventHandler { [screen] in screen.show(Self.text(from: keys)) }
        source.setCancelHandler {
            close(device)
            close(keys)
        }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    /// Presses keys.
    func press(_ text: String) {
        var text = text
        unsafe text.withUTF8 { bytes in
            _ = unsafe write(keys, bytes.baseAddress, bytes.count)
        }
    }

    /// When a text stands on the screen.
    func shows(_ text: String) -> Milestone { screen.milestone(of: text) }

    /// How the terminal is set, as tcgetattr(3) has it.
    var modes: [UInt32] {
        var modes = termios()
        _ = unsafe tcgetattr(keys, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
    }

    private static func text(from keys: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(keys, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
