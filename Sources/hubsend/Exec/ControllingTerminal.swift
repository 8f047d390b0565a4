import Files
import Glibc

/// The terminal that this process was started from.
enum ControllingTerminal {
    /// Whether its keys, such as Ctrl-C, signal the process group of this process; false where
    /// there is no terminal.
    static var signalsOurGroup: Bool {
        do {
            return try OpenFile("/dev/tty", for: .reading)
                .withDescriptor { tcgetpgrp($0) == getpgrp() }
        } catch {
            return false
        }
    }
}
