/// A browser could not do what a test wanted.
package enum BrowserError: Error {
    case missing(String)
    case endedEarly(String)
    /// The kind of the error, and its words.
    case refused(String, String)
    /// The page never became as a test waits for; with its state.
    case neverHeld(String, page: String)
}
