/// Writes hubsend commands that a reader can paste.
package struct CommandForm: Hashable, Sendable {
    /// The beginning of each command, such as `sudo -u push /usr/bin/hubsend`; already quoted.
    private let opening: String
    /// The same beginning, except that the hub's name is taken from the reader's shell.
    private let openingForOtherHub: String
    /// The flags for the same config, store, reports and exports.
    private let options: [String]

    package init(
        opening: String = "hubsend", forOtherHub other: String? = nil, options: [String] = []
    ) {
        self.opening = opening
        openingForOtherHub = other ?? opening
        self.options = options
    }

    package func callAsFunction(_ words: [String], hasOtherHub: Bool = false) -> String {
        ([hasOtherHub ? openingForOtherHub : opening] + (words + options).map(ShellWord.quoted))
            .joined(separator: " ")
    }
}
