import Glibc

/// The terminal that this process was started from.
enum ControllingTerminal {
    /// Whether its keys, such as Ctrl-C, signal the process group of this process; false where
    /// there is no terminal.
    static var signalsOurGroup: Bool {
        let terminal = unsafe open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        defer { close(terminal) }
        return tcgetpgrp(terminal) == getpgrp()
    }
}
