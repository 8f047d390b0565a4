/// A browser could not do what a test wanted.
package enum BrowserError: Error {
    /// A program is not on the search path.
    case missing(String)
    /// The driver ended before it listened, and said this.
    case endedEarly(String)
    /// The driver refused a command: the kind of the error, and its words.
    case refused(String, String)
    /// The page never came to be as a test waits for; with what it looked like instead.
    case neverHeld(String, page: String)
}
