/// The browser could not execute a command of a test.
package enum BrowserError: Error {
    case missing(String)
    case endedEarly(String)
    /// The kind of error, and its message.
    case refused(String, String)
    /// The page never reached the expected state; carries its actual state.
    case neverHeld(String, page: String)
}
