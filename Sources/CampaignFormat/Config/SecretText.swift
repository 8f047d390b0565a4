/// A text that no description and no dump shows.
package struct SecretText: Hashable, Sendable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    /// The secret itself.
    package let value: String

    package init(_ value: String) {
        self.value = value
    }

    package var description: String { "(hidden)" }
    package var debugDescription: String { "(hidden)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
