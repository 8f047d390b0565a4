import Foundation

/// The words of the system for an error number.
enum SystemError {
    /// The last failed call's.
    static var last: String { text(errno) }

    static func text(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text).lowercased()
    }
}
