/// Asks on the terminal before something that cannot be taken back.
enum Question {
    /// Asks; anything but `y` or `yes` is a no.
    static func confirms(_ text: String) -> Bool {
        Console.notice(text + " [y/N] ")
        guard let answer = readLine(strippingNewline: true) else {
            Console.notice("\n")
            return false
        }
        return ["y", "yes"].contains(answer.lowercased())
    }
}
