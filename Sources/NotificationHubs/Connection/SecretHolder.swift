/// A value that contains a secret, which descriptions, debuggers and `dump` do not show.
public protocol SecretHolder: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{}

extension SecretHolder {
    /// Arrays and debuggers print only the description.
    public var debugDescription: String { description }
    /// Empty, unless the type lists children that are not secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
