/// A value that contains a secret, which is hidden in descriptions, debuggers and `dump`.
public protocol SecretHolder: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{}

extension SecretHolder {
    /// The description, which is all that arrays and debuggers print.
    public var debugDescription: String { description }
    /// A mirror without children, unless the type lists children that are not secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
