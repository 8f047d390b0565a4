import Dispatch
import Glibc
import Synchronization
import TestSupport

/// A terminal on which the test presses keys and reads the screen.
final class PseudoTerminal {
    struct Refused: Error {
        let number: Int32
    }

    /// The text shown so far, and the tasks that are waiting for text.
    private final class Screen: Sendable {
        private let state = Mutex(
            (text: "", isOff: false, awaited: [(text: String, milestone: Milestone)]()))

        var text: String { state.withLock { $0.text } }

        var isOff: Bool { state.withLock { $0.isOff } }

        func turnOff() {
            state.withLock { $0.isOff = true }
        }

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

    /// The device that a program uses as its terminal.
    let path: String
    private let keys: Int32
    /// Shows a program's last output, which a test might otherwise miss.
    let readRest: @Sendable () -> Void
    private let screen = Screen()
    private let source: any DispatchSourceRead

    init() throws {
        var (keys, device) = (Int32(-1), Int32(-1))
        guard unsafe openpty(&keys, &device, nil, nil, nil) == 0 else {
            throw Refused(number: errno)
        }
        var name = [CChar](repeating: 0, count: 128)
        guard unsafe ttyname_r(device, &name, name.count) == 0,
            fcntl(keys, F_SETFD, FD_CLOEXEC) == 0, fcntl(device, F_SETFD, FD_CLOEXEC) == 0
        else { throw Refused(number: errno) }
        path = String(
            decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.keys = keys
        let queue = DispatchQueue(label: "pseudo-terminal")
        source = DispatchSource.makeReadSource(fileDescriptor: keys, queue: queue)
        source.setEventHandler { [screen, keys] in screen.show(Self.text(from: keys)) }
        readRest = { [screen, keys] in
            queue.sync {
                while !screen.isOff, Self.hasText(keys) {
                    screen.show(Self.text(from: keys))
                }
            }
        }
        // Keeps the device open, so that it works before and after the program uses it.
        source.setCancelHandler { [screen, keys, device] in
            screen.turnOff()
            close(device)
            close(keys)
        }
        source.resume()
    }

    deinit {
        source.cancel()
    }

    func press(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            _ = unsafe write(keys, bytes.baseAddress, bytes.count)
        }
    }

    var text: String { screen.text }

    /// A milestone that is reached when the screen shows some text.
    func shows(_ text: String) -> Milestone { screen.milestone(of: text) }

    /// Whether a program has written something that has not been read yet.
    private static func hasText(_ keys: Int32) -> Bool {
        var state = pollfd(fd: keys, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&state, 1, 0) == 1
    }

    private static func text(from keys: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(keys, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
