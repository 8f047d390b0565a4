/// A template of an installation: what the device gets of a template send.
///
/// No description shows the body.
public struct InstallationTemplate: Sendable, Hashable, Codable {
    /// The body with expressions such as `$(message)`.
    public var body: String
    /// The headers for the push service, for Windows and Windows Phone.
    public var headers: [String: String]?
    /// When Apple's pushes expire, as a date or an expression.
    public var expiry: String?
    /// Tags beside those of the installation; the hub adds the template's name.
    public var tags: [String]?

    /// Makes a template.
    ///
    /// - Parameters:
    ///   - body: the body with its expressions.
    ///   - headers: the headers for the push service.
    ///   - expiry: when Apple's pushes expire.
    ///   - tags: tags beside those of the installation.
    public init(
        body: String, headers: [String: String]? = nil, expiry: String? = nil,
        tags: [String]? = nil
    ) {
        self.body = body
        self.headers = headers
        self.expiry = expiry
        self.tags = tags
    }
}

extension InstallationTemplate: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// How large the body is.
    public var description: String { "InstallationTemplate(\(body.utf8.count) bytes, hidden)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
