/// The parts of a mapping.
package enum YAMLMapping {
    /// A key with its value.
    package struct Entry: Sendable {
        /// The key, always a scalar, with the range of its own text.
        package let key: YAMLNode

        /// The value; a plain empty scalar just after the colon where the file has none.
        package let value: YAMLNode

        /// Joins a key and a value.
        ///
        /// - Parameters:
        ///   - key: a scalar node.
        ///   - value: any node.
        package init(key: YAMLNode, value: YAMLNode) {
            self.key = key
            self.value = value
        }
    }
}
