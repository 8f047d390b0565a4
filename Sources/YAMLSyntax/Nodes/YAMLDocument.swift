/// What a YAML file says, and what is wrong with it.
package struct YAMLDocument: Sendable {
    /// The file's value; nil if the file is empty or a fault ended its reading.
    package let root: YAMLNode?

    /// Everything wrong with the file as YAML, in file order.
    package let faults: [YAMLFault]

    /// The text that was read, for showing lines; of a file that is too large, its beginning.
    package let source: SourceText
}
