/// The browser could not execute a command from a test.
package enum BrowserError: Error {
    case missing(String)
    case endedEarly(String)
    /// The kind of error, and its message.
    case refused(String, String)
    /// The page never reached the expected state; its actual state is included.
    case neverHeld(String, page: String)
}
