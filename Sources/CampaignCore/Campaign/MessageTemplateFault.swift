/// Why a text is not a template, and where in it.
package struct MessageTemplateFault: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unclosed
        case emptyName
        case badName(String)
    }

    package let reason: Reason
    /// Unicode scalars from the text's start, from the `{{` up to and with what was read of the variable.
    package let range: Range<Int>

    package init(reason: Reason, range: Range<Int>) {
        self.reason = reason
        self.range = range
    }
}
