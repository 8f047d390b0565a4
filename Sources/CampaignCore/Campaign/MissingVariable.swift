/// A recipient has no value for a variable that has no default.
package struct MissingVariable: Error, Hashable, Sendable {
    /// The column's name.
    package let name: String

    package init(name: String) {
        self.name = name
    }
}
