/// How commands of hubsend are written so that a reader can paste them as they stand.
package struct CommandForm: Hashable, Sendable {
    /// Everything before the command's name, such as `sudo -u push env NAME=VALUE /usr/bin/hubsend`; already quoted.
    private let opening: String
    /// The flags that lead to the same config, store, reports and exports.
    private let options: [String]

    package init(opening: String = "hubsend", options: [String] = []) {
        self.opening = opening
        self.options = options
    }

    /// A command line.
    package func callAsFunction(_ words: [String]) -> String {
        ([opening] + (words + options).map(ShellWord.quoted)).joined(separator: " ")
    }
}
