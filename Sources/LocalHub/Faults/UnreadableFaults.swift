/// A text says nothing that could go wrong.
package struct UnreadableFaults: Error, Hashable {
    /// What is wrong with it, and where.
    package let explanation: String

    /// Explains a text that cannot be read.
    ///
    /// - Parameter explanation: what is wrong with it, and where.
    package init(explanation: String) {
        self.explanation = explanation
    }
}
