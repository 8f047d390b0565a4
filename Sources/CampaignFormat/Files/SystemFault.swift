import Glibc

/// Why the operating system refused something: its error number, with the system's words for it.
struct SystemFault: Error, Hashable, Sendable, CustomStringConvertible {
    let number: Int32

    /// The fault of the system call that failed just now.
    static var last: SystemFault { SystemFault(number: errno) }

    var description: String {
        guard let words = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: words)
    }
}
