/// A value with a secret in it, which neither its description nor a debugger or `dump` shows.
public protocol SecretHolder: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{}

extension SecretHolder {
    /// What arrays and debuggers print: only the description.
    public var debugDescription: String { description }
    /// No children, unless the type names some that are no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
